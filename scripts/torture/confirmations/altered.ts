import type { Dice } from '../create-dice.ts'

const HEXADECIMAL = '0123456789abcdef'

/** A guess at the id of a confirmation: out of nowhere, or the real one with something changed. */
export function alteredId(id: string, dice: Dice): string {
  const place = dice(id.length)
  const digits = (count: number) =>
    Array.from({ length: count }, () => HEXADECIMAL[dice(16)]).join('')
  switch (dice(7)) {
    case 0:
      return digits(32)
    case 1:
      return id.slice(0, place)
    case 2:
      return id + digits(1 + dice(4))
    case 3:
      return `${id.slice(0, place)}${otherDigit(id[place], dice)}${id.slice(place + 1)}`
    case 4:
      return ` ${id}`
    case 5:
      return `${id}\u0000`
    default:
      return [...id].reverse().join('') === id ? '' : [...id].reverse().join('')
  }
}

function otherDigit(digit: string | undefined, dice: Dice): string {
  const others = [...HEXADECIMAL].filter((one) => one !== digit)
  return others[dice(others.length)] ?? 'g'
}

/** The arguments of an approved payment with something changed. */
export function alteredArguments(order: string, dice: Dice): Readonly<Record<string, unknown>> {
  const amount = 1
  const given: readonly Readonly<Record<string, unknown>>[] = [
    { order, amount: 2 + dice(1_000_000) },
    { order, amount: -1 },
    { order, amount: 1.000_000_1 + dice(1_000) },
    { order: `${order}${dice(10)}`, amount },
    { order: order.slice(0, -1), amount },
    { order: ` ${order}`, amount },
    { order: order.replace('-', '‐'), amount },
    { order, amount, to: 'me' },
    { order, amount: '1' },
  ]
  return given[dice(given.length)] ?? {}
}
