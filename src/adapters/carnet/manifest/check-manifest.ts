import type {
  Agent,
  Manifest,
  Skill,
  SkillFileReference,
  Tool,
  Toolset,
} from '../format/manifest.ts'
import { EntryReader, type ManifestIssue } from './entry-reader.ts'
import { ValidationError } from './validation-error.ts'

/**
 * Take a value for a manifest: a frozen copy with its defaults, without members it does not know.
 *
 * Strict, as Carnet's class is: throws `ValidationError`, whose `context.error` is every issue with
 * its path, as JSON. In one pass of its own: ten thousand skills are looked at each time a process
 * starts, and a schema library takes most of that start.
 */
export function checkManifest(given: unknown): Manifest {
  const issues: ManifestIssue[] = []
  const root = new EntryReader([], issues).enter(given)
  const app = root.member('app')
  const manifest: Manifest = {
    version: root.number('version', 1),
    app: {
      globalInitialSkills: app.texts('globalInitialSkills', true),
      globalSkills: app.texts('globalSkills', true),
    },
    agents: root.record('agents', agentOf),
    skills: root.record('skills', skillOf),
    toolsets: root.record('toolsets', toolsetOf),
    tools: root.record('tools', toolOf, TOOL_NAME),
  }
  if (issues.length === 0) return Object.freeze(manifest)
  throw new ValidationError('Invalid manifest format', 'manifest', 'root', {
    error: JSON.stringify(issues, null, 2),
  })
}

const TOOL_NAME = /^[a-zA-Z][a-zA-Z0-9_]*$/

function agentOf(entry: EntryReader): Agent {
  return {
    name: entry.filled('name'),
    description: entry.filled('description'),
    initialSkills: entry.texts('initialSkills', true),
    skills: entry.texts('skills', true),
    prompt: entry.text('prompt'),
  }
}

function skillOf(entry: EntryReader): Skill {
  return {
    name: entry.filled('name'),
    description: entry.filled('description'),
    toolsets: entry.texts('toolsets', true),
    files: entry.list('files', fileOf),
    content: entry.text('content'),
  }
}

function fileOf(entry: EntryReader): SkillFileReference {
  return {
    path: entry.filled('path'),
    description: entry.filled('description'),
    content: entry.text('content'),
  }
}

function toolsetOf(entry: EntryReader): Toolset {
  return {
    name: entry.filled('name'),
    description: entry.filled('description'),
    tools: entry.texts('tools', false),
    content: entry.text('content'),
  }
}

function toolOf(entry: EntryReader): Tool {
  return {
    name: entry.named('name', TOOL_NAME),
    description: entry.filled('description'),
    content: entry.text('content'),
  }
}
