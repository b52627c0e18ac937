import type { ExposureStrategy } from '../log/ports.ts'
import type { PromptRequest } from './prompt-request.ts'

/** A request for a prompt under a strategy: what is called through a bridge is listed with its arguments. */
export function listedFor<Request extends PromptRequest>(
  { bridges }: ExposureStrategy,
  request: Request,
): Request {
  return bridges === true ? { schemasInRequest: 'meta-tools', ...request } : request
}
