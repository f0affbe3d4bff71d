/* Runs the test vectors on a Cortex-M4 of QEMU, and prints the instructions of a tick. One instruction takes one nanosecond
 * (-icount shift=0), and the timer counts at 25 MHz, so one count is 40 instructions. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "net.h"
#include "vectors.h"

enum { COUNT_INSTRUCTIONS = 40, TIMER_ENABLED = 5, TIMER_WRAPPED = 1 << 16 };
#define TIMER_CONTROL (*(volatile uint32_t *)0xE000E010u)
#define TIMER_RELOAD (*(volatile uint32_t *)0xE000E014u)
#define TIMER_VALUE (*(volatile uint32_t *)0xE000E018u)
#define COPROCESSORS (*(volatile uint32_t *)0xE000ED88u)

extern char top[];
extern void initialise_monitor_handles(void);
int main(void);
void _fini(void);

void _fini(void) { /* the C library calls it at the end */
}

__attribute__((noreturn)) void reset(void) {
    COPROCESSORS |= 0xFu << 20; /* floating point */
    __asm__ volatile("dsb\n isb");
    initialise_monitor_handles();
    exit(main());
}

__attribute__((noreturn)) static void fault(void) {
    exit(3);
}

__attribute__((section(".vectors"), used)) static const void *const vectors[16] = {
    top, (const void *)reset, (const void *)fault, (const void *)fault, (const void *)fault, (const void *)fault, (const void *)fault,
};

int main(void) {
    long equal;
    uint32_t counts;
    TIMER_RELOAD = 0xFFFFFFu;
    TIMER_VALUE = 0;
    TIMER_CONTROL = TIMER_ENABLED;
    equal = net_check();
    counts = 0xFFFFFFu - TIMER_VALUE;
    if ((TIMER_CONTROL & TIMER_WRAPPED) != 0) {
        printf("the timer is too short\n");
        return 2;
    }
    if (equal < NET_VECTOR_TICKS) {
        printf("tick %ld differs from the model\n", equal);
        return 1;
    }
    printf("%ld ticks equal, %lu instructions per tick\n", equal, (unsigned long)counts * COUNT_INSTRUCTIONS / NET_VECTOR_TICKS);
    return 0;
}
