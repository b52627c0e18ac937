import type { ToolResponse } from '../../tools/response/tool-response.ts'
import type { CallPipelineParts } from './call-pipeline-parts.ts'
import type { CallRequest } from './call-request.ts'

/** What running a handler takes; a handler calls other tools by `call`. */
export interface RunParts extends CallPipelineParts {
  call(request: CallRequest): Promise<ToolResponse>
}
