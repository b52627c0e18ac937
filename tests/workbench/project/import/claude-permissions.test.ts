import { posix } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { createCatalog } from '../../../../src/catalog/create/create-catalog.ts'
import { claudePermissions } from '../../../../src/workbench/project/import/claude-permissions.ts'
import { defineTool } from '../../../../src/tools/define-tool.ts'
import { VirtualWorkspace } from '../../../../src/workspace/virtual-workspace.ts'

/** A call of a tool with the arguments that Claude Code gives it. */
interface ClientCall {
  readonly tool: string
  readonly input: Readonly<Record<string, string>>
}

const PROJECT = '/home/ada/shop'

/**
 * The rules of Claude Code, read from its documentation and written without our code: true if a rule denies a
 * call.
 */
function isDeniedThere(rule: string, { tool, input }: ClientCall): boolean {
  const open = rule.indexOf('(')
  const name = open < 0 ? rule : rule.slice(0, open)
  const argument = open < 0 ? undefined : rule.slice(open + 1, -1)
  const groups: Record<string, string[]> = {
    Read: ['Read', 'Grep', 'Glob'],
    Edit: ['Edit', 'Write'],
  }
  const isServer = name.startsWith('mcp__') && name.split('__').length === 2
  const isTool =
    tool === name ||
    (groups[name]?.includes(tool) ?? false) ||
    (isServer && tool.startsWith(`${name}__`)) ||
    (name.endsWith('__*') && tool.startsWith(name.slice(0, -1)))
  if (!isTool) return false
  if (argument === undefined) return true
  if (tool === 'Bash') {
    const prefix = argument.replace(/:\*$/, '')
    const commands = (input['command'] ?? '').split(/&&|\|\||[;|\n]/).map((one) => one.trim())
    return commands.some((one) => one === prefix || one.startsWith(`${prefix} `))
  }
  if (tool === 'WebFetch') {
    const host = new URL(input['url'] ?? '').hostname
    const domain = argument.slice('domain:'.length)
    return host === domain || host.endsWith(`.${domain}`)
  }
  const path = posix.resolve(PROJECT, input['file_path'] ?? '')
  if (argument.startsWith('//')) return isBelow(argument.slice(1), path)
  if (argument.startsWith('~/')) return isBelow(`/home/ada/${argument.slice(2)}`, path)
  if (!argument.includes('/')) {
    return (
      path.startsWith(`${PROJECT}/`) && path.slice(PROJECT.length).split('/').includes(argument)
    )
  }
  return isBelow(posix.join(PROJECT, argument), path)
}

function isBelow(folder: string, path: string): boolean {
  const whole = folder.replace(/\/\*\*$/, '')
  return path === whole || path.startsWith(`${whole}/`)
}

const rule = fc.oneof(
  fc.constantFrom(
    'mcp__github',
    'mcp__jira',
    'mcp__github__*',
    'mcp__github__delete_repo',
    'Bash',
    'Read',
    'Edit',
    'WebFetch',
    'Write',
    'Grep',
  ),
  fc
    .constantFrom('rm', 'rm -rf', 'git push', 'npm run test', 'curl')
    .chain((command) => fc.constantFrom(`Bash(${command}:*)`, `Bash(${command})`)),
  fc
    .tuple(
      fc.constantFrom('Read', 'Edit', 'Write'),
      fc.constantFrom(
        '.env',
        './.env',
        'src/secret/**',
        '/src/secret',
        '//etc/passwd',
        '~/.ssh/**',
      ),
    )
    .map(([tool, path]) => `${tool}(${path})`),
  fc.constantFrom('example.com', 'evil.org').map((domain) => `WebFetch(domain:${domain})`),
)

const path = fc.constantFrom(
  '.env',
  './.env',
  'src/../.env',
  `${PROJECT}/.env`,
  'a/b/.env',
  'src/secret/key',
  '/etc/passwd',
  '../../../etc/passwd',
  '/home/ada/.ssh/id',
  'src/secret/../secret/x',
  'README.md',
  'src/a.ts',
)

const call = fc.oneof(
  fc
    .constantFrom('mcp__github__delete_repo', 'mcp__github__list', 'mcp__jira__delete')
    .map((tool): ClientCall => ({ tool, input: {} })),
  fc
    .tuple(
      fc.constantFrom('', 'ls && ', 'cd x; ', 'true || ', 'echo a\n'),
      fc.constantFrom(
        'rm -rf /',
        'rm x',
        'git push origin',
        'npm run test',
        'curl x',
        'ls',
        'format',
      ),
    )
    .map(([before, command]): ClientCall => ({
      tool: 'Bash',
      input: { command: `${before}${command}` },
    })),
  fc
    .tuple(fc.constantFrom('Read', 'Edit', 'Write', 'Grep', 'Glob'), path)
    .map(([tool, file]): ClientCall => ({ tool, input: { file_path: file } })),
  fc
    .constantFrom(
      'https://example.com/x',
      'https://EXAMPLE.com',
      'https://a.evil.org/',
      'https://ok.dev',
    )
    .map((url): ClientCall => ({ tool: 'WebFetch', input: { url } })),
  fc.constant<ClientCall>({ tool: 'WebFetch', input: { url: 'https://ex%61mple.com' } }),
)

const NAMES = [
  'mcp__github__delete_repo',
  'mcp__github__list',
  'mcp__jira__delete',
  'Bash',
  'Read',
  'Edit',
  'Write',
  'Grep',
  'Glob',
  'WebFetch',
]

const tools = NAMES.map((name) =>
  defineTool({
    name,
    description: `Calls ${name}.`,
    inputSchema: z.looseObject({}),
    execute: () => 'ran',
  }),
)

const catalog = await createCatalog({ tools })

/** Returns `ran`, or the type of the error with which a call of a model was refused. */
async function outcomeHere(settings: object, { tool, input }: ClientCall): Promise<string> {
  const { deny, ask } = claudePermissions({ permissions: settings }, 'settings.json')
  const workspace = await VirtualWorkspace.open({
    catalog,
    policy: { permissions: JSON.parse(JSON.stringify({ deny, ask })) },
  })
  const result = await workspace.callTool(tool, input, { caller: 'model' })
  await workspace.close()
  return result.ok ? 'ran' : result.error.type
}

test('nothing runs here that was denied there', async () => {
  let denied = 0
  await fc.assert(
    fc.asyncProperty(fc.array(rule, { minLength: 1, maxLength: 4 }), call, async (deny, one) => {
      const isDenied = deny.some((each) => isDeniedThere(each, one))
      if (!isDenied) return
      denied += 1
      expect(await outcomeHere({ deny }, one)).toMatch(/^(?:DENIED|CONFIRMATION_REQUIRED)$/)
    }),
    { numRuns: 1500 },
  )
  expect(denied).toBeGreaterThanOrEqual(200)
})

test.each([
  [['mcp__github'], { tool: 'mcp__github__delete_repo', input: {} }, 'DENIED'],
  [['mcp__github'], { tool: 'mcp__jira__delete', input: {} }, 'ran'],
  [['Bash(rm:*)'], { tool: 'Bash', input: { command: 'ls && rm -rf /' } }, 'DENIED'],
  [['Bash(rm:*)'], { tool: 'Bash', input: { command: 'ls' } }, 'ran'],
  [['Read(./.env)'], { tool: 'Read', input: { file_path: '/srv/.env' } }, 'DENIED'],
  [['Read(./.env)'], { tool: 'Read', input: { file_path: 'README.md' } }, 'ran'],
  [['Read(./.env)'], { tool: 'Grep', input: { pattern: 'KEY' } }, 'CONFIRMATION_REQUIRED'],
  [['Bash(a $(b))'], { tool: 'Bash', input: { command: 'ls' } }, 'CONFIRMATION_REQUIRED'],
  [['Unknown(x)'], { tool: 'Read', input: {} }, 'ran'],
  [[7], { tool: 'Read', input: {} }, 'CONFIRMATION_REQUIRED'],
  [['what is this?'], { tool: 'Read', input: {} }, 'CONFIRMATION_REQUIRED'],
])('with %j denied, %j is %s', async (deny, one, outcome) => {
  expect(await outcomeHere({ deny }, one)).toBe(outcome)
})

test('a rule that asks there asks here', async () => {
  const one = { tool: 'mcp__jira__delete', input: {} }
  expect(await outcomeHere({ ask: ['mcp__jira'] }, one)).toBe('CONFIRMATION_REQUIRED')
})
