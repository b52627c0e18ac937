import { fromBase64, toBase64, utf8 } from '../../../kernel/byte-length.ts'
import { isMeta, type OpenSource } from '../../../engine/model/source-event.ts'
import type { JsonValue } from '../../../kernel/json-value.ts'
import { REDACTED, type Redactor } from '../../../kernel/redactor.ts'
import { type ContentPart, isBinaryPart } from '../../../tools/response/content-part.ts'
import type { HandlerAnswer } from './handler-answer.ts'

type Owner = Pick<OpenSource, 'source' | 'owner'>

/** Returns the function that hides the secrets of what a tool of an owner returned. */
export function hiderFor(redactor: Redactor, owner: Owner): Redactor['value'] {
  // The answers of meta-tools have schemas, whose members are named after arguments such as `token`.
  return isMeta(owner) ? redactor.texts : redactor.value
}

/** Returns the functions that hide the secrets of what one run of a tool yields and returns. */
export function answerHider(redactor: Redactor, owner: Owner) {
  const hide = hiderFor(redactor, owner)
  const answer = (given: HandlerAnswer) => redactAnswer(given, hide)
  return { answer, output: streamHider(redactor, hide) }
}

/**
 * Returns an answer as a model reads it: without secrets in its data, its parts and its facts. The same one when it has
 * none. It is redacted before it is cut: half of a secret would not be recognised.
 */
function redactAnswer(answer: HandlerAnswer, hide: Redactor['value']): HandlerAnswer {
  const meta = answer.meta && hide(answer.meta)
  if (!answer.ok) return meta === answer.meta ? answer : { ...answer, ...(meta && { meta }) }
  const data = hide(answer.data)
  const content = answer.content && hideInParts(answer.content, hide)
  const isSame = meta === answer.meta && data === answer.data && content === answer.content
  if (isSame) return answer
  // An adapter that has the returned value itself sees that the model must not get that.
  return { ...answer, data, ...(content && { content }), meta: { ...meta, redacted: true } }
}

/** Matches the media types of data that is text. */
const TEXTUAL = /^text\/|json|xml|yaml|javascript/u

function hideInParts(
  content: readonly ContentPart[],
  hide: Redactor['value'],
): readonly ContentPart[] {
  const hidden = content.map((part): ContentPart => {
    if (!isBinaryPart(part)) return hide(part)
    const { data, ...others } = part
    const [about, shown] = [hide(others), textualData(part.mediaType, data, hide)]
    return about === others && shown === data ? part : ({ ...about, data: shown } as ContentPart)
  })
  return hidden.every((part, index) => part === content[index]) ? content : hidden
}

/** Returns data in base64, without the secrets of data that is text. */
function textualData(mediaType = '', data: string, hide: Redactor['value']): string {
  if (!TEXTUAL.test(mediaType)) return data
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(fromBase64(data))
  const shown = hide(text)
  return shown === text ? data : toBase64(utf8(shown))
}

/** Characters of earlier pieces in which a secret may begin. */
const LONGEST_TAIL = 1_000

/**
 * Returns the function that hides the secrets of what a tool yields. A text may be a piece, or all so far: its end is
 * hidden like that of a text that was cut, and so is the rest of the secret in the next one.
 */
export function streamHider(redactor: Redactor, hide: Redactor['value']) {
  let before = ''
  /** The end of the last text was hidden. */
  let isOpen = false
  const hideCut = (text: string) => redactor.text(`${text}…`).slice(0, -1)
  return (output: JsonValue): JsonValue => {
    if (typeof output !== 'string') {
      before = ''
      isOpen = false
      return hide(output)
    }
    const joined = before + output
    const shown = hideCut(joined)
    let at = 0
    if (isOpen && shown.startsWith(REDACTED)) at = REDACTED.length
    else while (at < before.length && before[at] === shown[at]) at += 1
    const visible = shown.slice(shown.lastIndexOf(REDACTED) + REDACTED.length)
    isOpen = shown !== joined && visible === ''
    if (isOpen) {
      let from = Math.max(0, joined.length - LONGEST_TAIL)
      while (hideCut(joined.slice(from)) !== REDACTED && from < joined.length) from += 1
      before = joined.slice(from)
    } else before = (shown === joined ? joined : visible).slice(-LONGEST_TAIL)
    return shown.slice(at)
  }
}
