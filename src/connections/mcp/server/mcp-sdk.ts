import type * as server from '@modelcontextprotocol/server'
import type * as skills from '@modelcontextprotocol/server/ext/skills'
import type * as stdio from '@modelcontextprotocol/server/stdio'
import { WorkspaceError } from '../../../entries/index.ts'

/** The packages of the Model Context Protocol that a server needs. */
export type McpSdk = typeof server & typeof stdio & typeof skills

/** Loads the SDK, which is loaded only where a server is made. Throws `PACKAGE_MISSING`. */
export async function loadMcpSdk(): Promise<McpSdk> {
  try {
    const parts = await Promise.all([
      import('@modelcontextprotocol/server'),
      import('@modelcontextprotocol/server/stdio'),
      import('@modelcontextprotocol/server/ext/skills'),
    ])
    return { ...parts[0], ...parts[1], ...parts[2] }
  } catch (cause) {
    const { code } = cause as { readonly code?: unknown }
    if (code === 'ERR_PACKAGE_PATH_NOT_EXPORTED') {
      throw new WorkspaceError(
        'SDK_UNSUPPORTED',
        'Serving MCP needs version 2.4 or newer of the package "@modelcontextprotocol/server", and an earlier one, without "ext/skills", is installed.',
        { hint: 'Run "npm install @modelcontextprotocol/server@latest".', cause },
      )
    }
    throw new WorkspaceError(
      'PACKAGE_MISSING',
      'Serving MCP requires the package "@modelcontextprotocol/server".',
      {
        facts: { package: '@modelcontextprotocol/server' },
        hint: 'Install it: npm install @modelcontextprotocol/server.',
        cause,
      },
    )
  }
}
