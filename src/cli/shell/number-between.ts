import { InvalidArgumentError } from 'commander'

/** Reads an option's number; says what it must be when it is none. */
export function numberBetween(least: number, most: number, isWhole: boolean) {
  return (text: string): number => {
    const number = text.trim() === '' ? Number.NaN : Number(text)
    if (!(number >= least && number <= most) || (isWhole && !Number.isInteger(number))) {
      const what = isWhole ? 'a whole number' : 'a number'
      throw new InvalidArgumentError(`It must be ${what} from ${least} to ${most}.`)
    }
    return number
  }
}
