import { join } from 'node:path'
import { type Action, type TalkingClient, TASK_MARK } from './conversation.ts'
import type { CaseFolders } from '../case-folder.ts'
import type { ScriptedCall } from './scripted-answers.ts'

type Call = Omit<ScriptedCall, 'id'>

/**
 * Returns the call by which the model of a client does something; null where it has no tool for it.
 *
 * @param body the request that it answers
 */
export function clientCall(
  client: TalkingClient,
  action: Action,
  { cwd }: CaseFolders,
  body: unknown,
): Call | null {
  const task = 'task' in action ? `Do ${TASK_MARK}${action.task} and report.` : ''
  switch (client) {
    case 'claude-code':
      return claudeCall(action, cwd, task)
    case 'codex':
      return codexCall(action, task, body)
    case 'opencode':
      return openCodeCall(action, cwd, task)
    case 'pi':
      return piCall(action)
  }
}

function claudeCall(action: Action, cwd: string, task: string): Call | null {
  switch (action.does) {
    case 'load':
      return { name: 'Skill', input: { skill: action.skill } }
    case 'serve':
      return { name: `mcp__${action.server ?? 'stock'}__${action.tool}`, input: action.input }
    case 'read':
      return { name: 'Read', input: { file_path: join(cwd, action.file) } }
    case 'run':
      return { name: 'Bash', input: { command: action.command, description: 'Run it' } }
    case 'write':
      return {
        name: 'Write',
        input: { file_path: join(cwd, action.file), content: action.content },
      }
    case 'delegate':
      return {
        name: 'Agent',
        input: { description: 'A task', prompt: task, subagent_type: 'general-purpose' },
      }
    case 'wait':
      return null
    case 'misname':
      return { name: 'NoSuchTool', input: { a: 1 } }
    case 'misuse':
      return { name: 'Read', input: { path: 'plan.txt' } }
  }
}

function codexCall(action: Action, task: string, body: unknown): Call {
  switch (action.does) {
    case 'load':
      return {
        name: 'exec_command',
        input: { cmd: `cat .agents/skills/${action.skill}/SKILL.md` },
      }
    case 'serve':
      return {
        name: action.tool,
        namespace: `mcp__${action.server ?? 'stock'}`,
        input: action.input,
      }
    case 'read':
      return { name: 'exec_command', input: { cmd: `cat ${action.file}` } }
    case 'run':
      return { name: 'exec_command', input: { cmd: action.command } }
    case 'write': {
      const lines = action.content.split('\n').map((line) => `+${line}`)
      const input = `*** Begin Patch\n*** Add File: ${action.file}\n${lines.join('\n')}\n*** End Patch`
      return { name: 'apply_patch', input, isText: true }
    }
    case 'delegate':
      return { name: 'spawn_agent', namespace: 'multi_agent_v1', input: { message: task } }
    case 'wait': {
      const found = JSON.stringify(body).matchAll(/agent_id[\\"]+:[\\"]+([\w-]+)/g)
      const targets = [...new Set(Array.from(found, ([, id = '']) => id))]
      return { name: 'wait_agent', namespace: 'multi_agent_v1', input: { targets } }
    }
    case 'misname':
      return { name: 'no_such_tool', input: { a: 1 } }
    case 'misuse':
      return { name: 'exec_command', input: { command: 7 } }
  }
}

function openCodeCall(action: Action, cwd: string, task: string): Call | null {
  switch (action.does) {
    case 'load':
      return { name: 'skill', input: { name: action.skill } }
    case 'serve':
      return { name: `${action.server ?? 'stock'}_${action.tool}`, input: action.input }
    case 'read':
      return { name: 'read', input: { filePath: join(cwd, action.file) } }
    case 'run':
      return { name: 'bash', input: { command: action.command, description: 'Run it' } }
    case 'write':
      return { name: 'write', input: { filePath: join(cwd, action.file), content: action.content } }
    case 'delegate':
      return {
        name: 'task',
        input: { description: 'A task', prompt: task, subagent_type: 'general' },
      }
    case 'wait':
      return null
    case 'misname':
      return { name: 'no_such_tool', input: { a: 1 } }
    case 'misuse':
      return { name: 'read', input: { path: 7 } }
  }
}

function piCall(action: Action): Call | null {
  switch (action.does) {
    case 'load':
      return { name: 'read', input: { path: `.agents/skills/${action.skill}/SKILL.md` } }
    case 'serve':
    case 'delegate':
    case 'wait':
      return null
    case 'read':
      return { name: 'read', input: { path: action.file } }
    case 'run':
      return { name: 'bash', input: { command: action.command } }
    case 'write':
      return { name: 'write', input: { path: action.file, content: action.content } }
    case 'misname':
      return { name: 'no_such_tool', input: { a: 1 } }
    case 'misuse':
      return { name: 'read', input: { file: 7 } }
  }
}
