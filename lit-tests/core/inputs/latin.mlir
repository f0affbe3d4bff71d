nir.graph @ÿþ() -> () {
}
