export { mcpServer, type McpServerOptions } from '../adapters/mcp/client/mcp-server.ts'
export {
  readServerSkills,
  type ServerSkills,
  type ServerSkillsOptions,
} from '../adapters/mcp/client/read-server-skills.ts'
export type { SamplingBudget } from '../adapters/mcp/client/answer-requests.ts'
export type { ServerListing, ToolServer } from '../tools/definition/tool-server.ts'
export { type McpEndpoint, serveMcp, type StdioStreams } from '../adapters/mcp/server/serve-mcp.ts'
export type {
  McpContext,
  McpPrompt,
  McpPromptArgument,
  McpPromptMessage,
  McpResource,
  McpServing,
} from '../adapters/mcp/server/mcp-serving.ts'
