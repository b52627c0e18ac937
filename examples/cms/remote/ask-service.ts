import { ToolError } from 'loadout'
import type { z } from 'zod'
import type { Remote } from '../cms-services.ts'
import { request } from './request.ts'

/** What to ask a service for: query parameters, or a body of JSON. */
interface Question<Shape extends z.ZodType> {
  readonly path: string
  readonly query?: Readonly<Record<string, string | number>>
  readonly body?: object
  /** What the answer has to look like; members it does not name are dropped. */
  readonly answer: Shape
  readonly signal: AbortSignal
}

/**
 * Ask a service for JSON and hold its answer to a shape. The base URL is the operator's, so no
 * input of a model decides which host is reached.
 */
export async function askService<Shape extends z.ZodType>(
  name: string,
  service: Remote | undefined,
  { path, query = {}, body, answer, signal }: Question<Shape>,
): Promise<z.output<Shape>> {
  if (service === undefined) {
    throw new ToolError('AUTH', `${name} is not set up here. Tell the user to configure it.`)
  }
  const url = new URL(`${service.baseUrl.replace(/\/$/u, '')}${path}`)
  for (const [key, value] of Object.entries(query)) url.searchParams.set(key, String(value))
  const { status, bytes } = await request(url, {
    headers: {
      accept: 'application/json',
      ...(service.key !== undefined && { authorization: service.key }),
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
    signal,
  })
  if (status >= 400) throw refusedBy(name, status)
  const parsed = answer.safeParse(readJson(name, bytes))
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  const place = issue?.path.join('.') || 'its answer'
  throw new ToolError('PERMANENT', `${name} answered in a form that is not known: ${place}.`)
}

function refusedBy(name: string, status: number): ToolError {
  if (status === 429) return new ToolError('RATE_LIMIT', `${name} takes no more requests now.`)
  if (status === 401 || status === 403) return new ToolError('AUTH', `${name} refused the key.`)
  if (status === 404) return new ToolError('NOT_FOUND', `${name} has nothing of that kind.`)
  const type = status >= 500 ? 'TRANSIENT' : 'PERMANENT'
  return new ToolError(type, `${name} answered ${status}.`, { details: { status } })
}

function readJson(name: string, bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes))
  } catch {
    throw new ToolError('PERMANENT', `${name} answered with something that is no JSON.`)
  }
}
