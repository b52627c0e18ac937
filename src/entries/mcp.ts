export { mcpServer, type McpServerOptions } from '../adapters/mcp/client/mcp-server.ts'
export type { SamplingBudget } from '../adapters/mcp/client/answer-requests.ts'
export type { ServerListing, ToolServer } from '../tools/definition/tool-server.ts'
