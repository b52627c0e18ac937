/** Particles and copulas that follow a noun, longest first. */
const PARTICLES = `
으로부터 에서부터 인가요 입니다 이라는 이라고 에서는 으로는 에게서 한테서 이에요
예요 에서 으로 에게 한테 부터 까지 처럼 보다 이랑 하고 라고 라는 이나 에는 인지
은 는 이 가 을 를 에 의 와 과 도 만 로 랑 께 야 요 나
`
  .trim()
  .split(/\s+/)

/** A Korean word without the particle at its end, where two syllables are left. */
export function stemKorean(word: string): string {
  const particle = PARTICLES.find((one) => word.length - one.length >= 2 && word.endsWith(one))
  return particle === undefined ? word : word.slice(0, -particle.length)
}
