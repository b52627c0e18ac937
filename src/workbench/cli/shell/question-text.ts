import { describeQuestion, sanitiseText } from '../../../entries/kit.ts'

/** Returns why a question is asked and what its call would do, in indented lines. Empty when nothing is known. */
export function questionText(asked: Parameters<typeof describeQuestion>[0]): string {
  const text = describeQuestion(asked)
  if (text === '') return ''
  return sanitiseText(text)
    .split('\n')
    .map((line) => `  ${line}\n`)
    .join('')
}
