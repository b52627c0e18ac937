/** Numbers from 0 up to and without `sides`, the same ones for the same seed. */
export type Dice = (sides: number) => number

/** Dice that fall the same way for a seed (a xorshift of 32 bits). */
export function createDice(seed: number): Dice {
  let bits = (seed ^ 0x9e37_79b9) | 0 || 1
  return (sides) => {
    bits ^= bits << 13
    bits ^= bits >>> 17
    bits ^= bits << 5
    return (bits >>> 0) % sides
  }
}
