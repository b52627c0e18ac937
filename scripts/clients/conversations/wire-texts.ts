import {
  list,
  memberIn,
  object,
  text,
  textInContent,
} from '../../../src/connections/observed/content/text-in-content.ts'

/** Returns true for a request of a conversation: requests for a title or a summary may have no tools. */
export function isTurnRequest(body: unknown): boolean {
  return list(memberIn(body, 'tools')).length > 0
}

/** Returns the messages of a request, on any of the three wires. */
export function messagesIn(body: unknown): readonly unknown[] {
  const { messages, input } = object(body)
  return [...list(messages), ...list(input)]
}

/** Returns the texts of messages of the person, and those that the client wrote in the person's name. */
export function userTexts(body: unknown): readonly string[] {
  return messagesIn(body)
    .filter((message) => memberIn(message, 'role') === 'user')
    .flatMap((message) => partTexts(memberIn(message, 'content')))
}

/** Returns the texts of a content, which is a text or a list of parts; those of results are left out. */
export function partTexts(content: unknown): readonly string[] {
  if (typeof content === 'string') return [content]
  return list(content).map((part) => text(memberIn(part, 'text')))
}

/** Returns the texts that a request begins with. */
export function systemText(body: unknown): string {
  const { system, instructions } = object(body)
  const said = messagesIn(body)
    .filter((message) => ['system', 'developer'].includes(text(memberIn(message, 'role'))))
    .flatMap((message) => partTexts(memberIn(message, 'content')))
  return [textInContent(system), text(instructions), ...said].join('\n')
}
