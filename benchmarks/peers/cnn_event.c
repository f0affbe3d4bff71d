/* The yardstick: hand-written C for the CNN of the NIR paper, event by event.
 *
 * Three convolutions of spikes with integrate-and-fire neurons, two sum pools, two dense layers. Channels are innermost, so
 * one event adds one run of weights for each tap of the kernel; one list of events for each channel keeps the order of sums
 * (c, y, x). No part of this file is generated or derived from generated code.
 *
 *     cnn_event WEIGHTS INPUT TICKS REPEATS OUT
 *
 * WEIGHTS: float32, the tables below one after the other; INPUT: one byte for each input and tick; OUT: spikes of the output,
 * one byte each, then v of every layer after the last tick. Prints the seconds of the best repeat. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { INPUT = 2 * 34 * 34, OUTPUT = 10, MOST = 34 * 34 };

typedef struct { int n; uint8_t y[MOST], x[MOST]; float value[MOST]; } List;

static float w0[2][5][5][16], w2[16][3][3][16], w5[16][3][3][8], w9[128][256], b9[256], w11[256][10], threshold[5];
static float v1[16 * 16 * 16], v3[16 * 16 * 16], v6[8 * 8 * 8], v10[256], v12[10];
static float a1[16 * 16 * 16], a3[16 * 16 * 16], a6[8 * 8 * 8], a10[256], a12[10];
static uint8_t z1[16 * 16 * 16], z3[16 * 16 * 16], z6[8 * 8 * 8], z10[256], z12[10];
static List list[16];

static void add(List *l, int y, int x, float value) {
    l->y[l->n] = (uint8_t)y, l->x[l->n] = (uint8_t)x, l->value[l->n++] = value;
}

static inline void conv(int C, int O, int K, int stride, int pad, int side, const float *w, float *acc) {
    memset(acc, 0, sizeof(float) * (size_t)(side * side * O));
    for (int c = 0; c < C; c++)
        for (int e = 0; e < list[c].n; e++)
            for (int ky = 0; ky < K; ky++) {
                int oy = list[c].y[e] + pad - ky;
                if (oy < 0 || oy % stride || (oy /= stride) >= side) continue;
                for (int kx = 0; kx < K; kx++) {
                    int ox = list[c].x[e] + pad - kx;
                    if (ox < 0 || ox % stride || (ox /= stride) >= side) continue;
                    float *a = acc + (oy * side + ox) * O, value = list[c].value[e];
                    const float *k = w + ((c * K + ky) * K + kx) * O;
                    for (int o = 0; o < O; o++) a[o] += value * k[o];
                }
            }
}

static inline void fire(int n, float limit, const float *a, float *v, uint8_t *z) {
    for (int i = 0; i < n; i++) {
        float u = v[i] + a[i];
        z[i] = u > limit;
        v[i] = u > limit ? 0.0f : u;
    }
}

static void events(int side, int C, const uint8_t *z) { /* of spikes [y][x][c] */
    for (int c = 0; c < C; c++) list[c].n = 0;
    for (int y = 0; y < side; y++)
        for (int x = 0; x < side; x++, z += C) {
            for (int c = 0; c < C; c += 8) {
                uint64_t eight;
                memcpy(&eight, z + c, 8);
                if (eight)
                    for (int k = c; k < c + 8; k++) if (z[k]) add(&list[k], y, x, 1);
            }
        }
}

static void pooled(int side, int C, const uint8_t *z) { /* events of a 2 x 2 sum pool */
    for (int c = 0; c < C; c++) list[c].n = 0;
    for (int y = 0; y < side; y += 2)
        for (int x = 0; x < side; x += 2)
            for (int c = 0; c < C; c++) {
                const uint8_t *p = z + (y * side + x) * C + c;
                int n = p[0] + p[C] + p[side * C] + p[side * C + C];
                if (n) add(&list[c], y / 2, x / 2, (float)n);
            }
}

static void tick(const uint8_t *in) {
    for (int c = 0; c < 2; c++) {
        list[c].n = 0;
        for (int y = 0; y < 34; y++)
            for (int x = 0; x < 34; x++, in++) if (*in) add(&list[c], y, x, 1);
    }
    conv(2, 16, 5, 2, 1, 16, &w0[0][0][0][0], a1), fire(4096, threshold[0], a1, v1, z1);
    events(16, 16, z1);
    conv(16, 16, 3, 1, 1, 16, &w2[0][0][0][0], a3), fire(4096, threshold[1], a3, v3, z3);
    pooled(16, 16, z3);
    conv(16, 8, 3, 1, 1, 8, &w5[0][0][0][0], a6), fire(512, threshold[2], a6, v6, z6);
    pooled(8, 8, z6);
    memset(a10, 0, sizeof a10);
    for (int c = 0; c < 8; c++)
        for (int e = 0; e < list[c].n; e++) {
            const float *w = w9[(c * 4 + list[c].y[e]) * 4 + list[c].x[e]];
            for (int o = 0; o < 256; o++) a10[o] += list[c].value[e] * w[o];
        }
    for (int o = 0; o < 256; o++) a10[o] += b9[o];
    fire(256, threshold[3], a10, v10, z10);
    memset(a12, 0, sizeof a12);
    for (int i = 0; i < 256; i++)
        if (z10[i]) for (int o = 0; o < 10; o++) a12[o] += w11[i][o];
    fire(10, threshold[4], a12, v12, z12);
}

static void load(const char *path, void *into, size_t bytes) {
    FILE *f = fopen(path, "rb");
    if (!f || fread(into, 1, bytes, f) != bytes) fprintf(stderr, "%s: cannot be read\n", path), exit(1);
    fclose(f);
}

int main(int argc, char **argv) {
    if (argc != 6) return fprintf(stderr, "cnn_event WEIGHTS INPUT TICKS REPEATS OUT\n"), 2;
    int ticks = atoi(argv[3]), repeats = atoi(argv[4]);
    static float all[800 + 2304 + 1152 + 32768 + 256 + 2560 + 5];
    load(argv[1], all, sizeof all);
    float *p = all;
    void *tables[] = {w0, w2, w5, w9, b9, w11, threshold};
    size_t sizes[] = {sizeof w0, sizeof w2, sizeof w5, sizeof w9, sizeof b9, sizeof w11, sizeof threshold};
    for (int k = 0; k < 7; p += sizes[k] / sizeof *p, k++) memcpy(tables[k], p, sizes[k]);
    uint8_t *in = malloc((size_t)ticks * INPUT), *out = malloc((size_t)ticks * OUTPUT);
    load(argv[2], in, (size_t)ticks * INPUT);
    void *v[] = {v1, v3, v6, v10, v12};
    size_t vs[] = {sizeof v1, sizeof v3, sizeof v6, sizeof v10, sizeof v12};
    double best = 1e9;
    for (int r = 0; r < repeats; r++) {
        for (int k = 0; k < 5; k++) memset(v[k], 0, vs[k]);
        struct timespec a, b;
        clock_gettime(CLOCK_MONOTONIC, &a);
        for (int t = 0; t < ticks; t++) tick(in + (size_t)t * INPUT), memcpy(out + t * OUTPUT, z12, OUTPUT);
        clock_gettime(CLOCK_MONOTONIC, &b);
        double s = (double)(b.tv_sec - a.tv_sec) + 1e-9 * (double)(b.tv_nsec - a.tv_nsec);
        if (s < best) best = s;
    }
    FILE *f = fopen(argv[5], "wb");
    if (!f) return perror(argv[5]), 1;
    fwrite(out, 1, (size_t)ticks * OUTPUT, f);
    for (int k = 0; k < 5; k++) fwrite(v[k], 1, vs[k], f);
    printf("%.9f\n", best);
    return fclose(f) != 0;
}
