import type { McpServer } from '@modelcontextprotocol/server'
import type { Redactor } from '../../../entries/index.ts'
import { isObject } from '../../../entries/kit.ts'
import type { McpSdk } from './mcp-sdk.ts'

/** Members that a client gives back unchanged. */
const KEPT: ReadonlySet<string> = new Set(['uri', 'uriTemplate', 'requestState', 'progressToken'])

type Members = Readonly<Record<string, unknown>>

/**
 * Hides secrets in everything that a server sends: results, errors, notifications and questions. Names of tools and
 * prompts, addresses, and data in base64 stay.
 */
export function hideInMessages({ server }: McpServer, redactor: Redactor): void {
  const hidden = hiddenMembers(redactor)
  const { connect } = server
  server.connect = (transport) => {
    const { send } = transport
    transport.send = (message, options) => {
      const { result, error, params } = message as Members
      const shown = {
        ...message,
        ...(isObject(result) && { result: hidden(result) }),
        ...(isObject(error) && { error: hidden(error) }),
        ...(isObject(params) && { params: hidden(params) }),
      }
      return send.call(transport, shown as typeof message, options)
    }
    return connect.call(server, transport)
  }
}

/** Returns a function that hides secrets in a part of a message. */
export function hiddenMembers(redactor: Redactor): (members: Members) => Members {
  const hidden = (value: unknown): unknown => {
    if (typeof value === 'string') return redactor.text(value)
    if (Array.isArray(value)) return value.map(hidden)
    return isObject(value) ? hideIn(value) : value
  }
  const hideIn = (members: Members): Members => {
    const isKept = (key: string) => KEPT.has(key) || isNameOrData(key, members)
    const after = Object.entries(members).map(([key, member]) => {
      return [key, typeof member === 'string' && isKept(key) ? member : hidden(member)]
    })
    return Object.fromEntries(after) as Members
  }
  return hideIn
}

/** Returns true for the name of a tool or a prompt, which calls give back, and for data, not for the name of a resource. */
function isNameOrData(key: string, members: Members): boolean {
  if (key === 'name') return !('uri' in members)
  return (key === 'blob' || key === 'data') && ('mimeType' in members || 'uri' in members)
}

/** Returns a text file without secrets; the same bytes where it has none. */
export function withoutSecrets(bytes: Uint8Array, redactor: Redactor | undefined): Uint8Array {
  const text = new TextDecoder().decode(bytes)
  const shown = redactor?.text(text) ?? text
  return shown === text ? bytes : Buffer.from(shown)
}

/** Throws for a file with a secret: without it, the file would not have the digest that its list says. */
export function refuseSecrets(
  bytes: Uint8Array,
  uri: string,
  { ProtocolError, ProtocolErrorCode }: McpSdk,
  redactor: Redactor | undefined,
): void {
  if (withoutSecrets(bytes, redactor) === bytes) return
  const message = `"${uri}" is not served: it has a secret that the rules of redaction hide.`
  throw new ProtocolError(ProtocolErrorCode.InvalidRequest, message)
}
