import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { VirtualWorkspace } from 'loadout'
import { openProject } from 'loadout/node'
import { afterAll, describe, expect, test } from 'vitest'
import { removeAllTables } from '../../../examples/workbench/skills/data-analysis/lib/session-tables.ts'

const workbench = join(import.meta.dirname, '../../../examples/workbench')
const project = await openProject([workbench], { project: workbench, home: null, trusted: true })
const { catalog } = project
afterAll(removeAllTables)

const TOOLS = [
  'describe_table',
  'extract_links',
  'fetch_page',
  'git_history',
  'list_files',
  'open_table',
  'query_table',
  'read_file',
  'read_text',
  'search_text',
  'summarise_table',
]

async function openSession() {
  return VirtualWorkspace.open({ catalog, agent: 'assistant', services: { root: workbench } })
}

describe('the workbench as a whole', () => {
  test('loads without an error or a warning of its own', () => {
    const own = project.diagnostics.filter(({ file }) => !file?.includes('public-skills'))
    expect(own).toEqual([])
    expect(project.diagnostics.filter(({ severity }) => severity === 'error')).toEqual([])
  })

  test('has three skills of its own, and every tool of them has a handler', () => {
    const own = ['data-analysis', 'repo-explorer', 'web-reader']
    const tools = own.flatMap((skill) => catalog.skillTools.get(skill) ?? [])
    expect(tools.map(({ tool }) => tool.name).sort()).toEqual(TOOLS)
    expect(tools.filter(({ tool }) => tool.execute === undefined)).toEqual([])
  })

  test('runs nothing that is not trusted: the tools are there, without handlers', async () => {
    const untrusted = await openProject([workbench], { home: null, trusted: false })
    const tools = [...untrusted.catalog.skillTools.values()].flat()
    expect(tools.map(({ tool }) => tool.name).sort()).toEqual(TOOLS)
    expect(tools.every(({ tool }) => tool.execute === undefined)).toBe(true)
    expect(untrusted.catalog.components.size).toBe(0)
  })

  test('opens a session in which the first skill is active and a tool works', async () => {
    const workspace = await openSession()
    expect(workspace.getToolSource('list_files')).toEqual({
      source: 'skill',
      owner: 'repo-explorer',
    })
    const listed = await workspace.callTool('list_files', { path: 'data' })
    expect(listed).toMatchObject({ ok: true, data: { complete: true } })
    await workspace.activateSkill('data-analysis')
    const sql = 'SELECT count(*) FROM sales'
    const query = await workspace.callTool('query_table', { sql, file: 'data/sales.csv' })
    expect(query).toMatchObject({ ok: true, data: { rows: [[40]] } })
    await workspace.close()
  })
})

describe('the notes', () => {
  test('are added, edited and removed, and the panel shows them to the model', async () => {
    const workspace = await openSession()
    for (const text of ['Deadline is Friday.', 'Ask Łukasz.']) {
      expect(await workspace.callTool('add_note', { text })).toMatchObject({ ok: true })
    }
    await workspace.callTool('edit_note', { id: 1, text: 'Deadline is Monday.' })
    expect(workspace.prompt().text).toContain('1. Deadline is Monday.')
    await workspace.callTool('remove_note', { id: 2 })
    expect(workspace.prompt().text).not.toContain('Łukasz')
    expect(await workspace.callTool('add_note', { text: 'More.' })).toMatchObject({
      ok: true,
      data: { id: 3 },
    })
    expect(workspace.exportComponent('notes')).toEqual({
      lastId: 3,
      notes: [
        { id: 1, text: 'Deadline is Monday.' },
        { id: 3, text: 'More.' },
      ],
    })
    await workspace.close()
  })

  test.each([
    ['edit_note', { id: 9, text: 'x' }],
    ['remove_note', { id: 9 }],
  ])('%s of a note that is not there is refused', async (tool, input) => {
    const workspace = await openSession()
    expect(await workspace.callTool(tool, input)).toMatchObject({
      ok: false,
      error: { type: 'NOT_FOUND', message: 'There is no note 9.' },
    })
    await workspace.close()
  })

  test('beyond the fiftieth are refused', async () => {
    const workspace = await openSession()
    for (let count = 1; count <= 50; count += 1) {
      await workspace.callTool('add_note', { text: `Note ${count}` })
    }
    expect(await workspace.callTool('add_note', { text: 'x' })).toMatchObject({
      ok: false,
      error: { type: 'CONFLICT', message: 'There are 50 notes already; remove one first.' },
    })
    expect(workspace.exportComponent('notes')).toMatchObject({ lastId: 50 })
    await workspace.close()
  })
})

describe('the clock', () => {
  test.each([
    ['UTC', '+00:00'],
    ['Asia/Kolkata', '+05:30'],
    ['Asia/Tokyo', '+09:00'],
  ])('tells the time in %s', async (timeZone, offset) => {
    const workspace = await openSession()
    const before = Date.now()
    const { data } = (await workspace.callTool('current_time', { timeZone })) as {
      data: { time: string; weekday: string }
    }
    const told = Date.parse(data.time)
    expect(data.time.endsWith(offset)).toBe(true)
    expect(told).toBeGreaterThanOrEqual(before - 1000)
    expect(told).toBeLessThanOrEqual(Date.now())
    await workspace.close()
  })

  test('does not know a zone that is none', async () => {
    const workspace = await openSession()
    expect(await workspace.callTool('current_time', { timeZone: 'Mars/Olympus' })).toMatchObject({
      ok: false,
      error: {
        type: 'VALIDATION',
        message: '"Mars/Olympus" is not a time zone. Use an IANA name, such as Europe/Oslo.',
      },
    })
    await workspace.close()
  })
})

describe('the public skills', () => {
  const folder = join(workbench, 'public-skills')
  const names = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== 'LICENSES')
    .map(({ name }) => name)

  test('are there, all of them, and can be activated', async () => {
    expect(names).toHaveLength(12)
    const workspace = await openSession()
    for (const name of names) {
      expect(await workspace.activateSkill(name)).toMatchObject({ ok: true })
    }
    await workspace.close()
  })

  test('are byte for byte what was taken', () => {
    const sums = readFileSync(join(folder, 'SHA256SUMS'), 'utf8').trimEnd().split('\n')
    const listed = new Set<string>()
    for (const line of sums) {
      const [sum, path = ''] = line.split('  ')
      const hash = createHash('sha256')
        .update(readFileSync(join(folder, path)))
        .digest('hex')
      expect(`${path} ${hash}`).toBe(`${path} ${sum}`)
      listed.add(path)
    }
    const there = readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.parentPath !== folder)
      .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    expect([...listed].sort()).toEqual(there.sort())
  })

  test('have their origin, commit and licence in the table', () => {
    const readme = readFileSync(join(folder, 'README.md'), 'utf8')
    for (const name of names) {
      const row = readme.split('\n').find((line) => line.startsWith(`| [${name}](`)) ?? ''
      expect(row).toMatch(/https:\/\/github\.com\/.*`[0-9a-f]{40}`.*(?:MIT|Apache-2\.0)/)
      const licence = /\[text\]\(([^)]+)\)/.exec(row)?.[1] ?? 'none'
      expect(readFileSync(join(folder, licence), 'utf8')).toMatch(
        /Permission is hereby granted|Apache License/,
      )
    }
  })
})
