import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { EngineContext } from '../../../src/engine/model/engine-context.ts'
import type { WorkspaceState } from '../../../src/engine/model/workspace-state.ts'
import {
  listingAddress,
  listTools,
  type ToolListing,
} from '../../../src/engine/standing/list-tools.ts'
import { toolTable } from '../../../src/engine/standing/tool-table.ts'
import { defineSkill } from '../../../src/skills/definition/define-skill.ts'
import { defineTool } from '../../../src/tools/define-tool.ts'
import { contextOf, OPENING, stateAfter } from '../a-session.ts'

describe('list tools', () => {
  const TOOL = (name: string, description = 'Does it.') =>
    defineTool({ name, description, execute: () => null })

  test('an activated skill keeps the listing objects of the others', async () => {
    const context = await contextOf({
      skills: [
        defineSkill({ name: 'one', description: 'One.', tools: [TOOL('a')] }),
        defineSkill({ name: 'two', description: 'Two.', tools: [TOOL('b'), TOOL('c')] }),
      ],
    })
    const before = listTools(stateAfter(context, [OPENING]), context)
    const active = stateAfter(context, [OPENING, { type: 'skill.activate', skill: 'one' }])
    const after = listTools(active, context)
    expect(after.map(({ name, status }) => `${name} ${status}`)).toEqual([
      'a available',
      'b skill-inactive',
      'c skill-inactive',
    ])
    expect(after[1]).toBe(before[1])
    expect(after[2]).toBe(before[2])
  })

  /** Lists every tool one by one: the result that the quick way must have. */
  function plainly(state: WorkspaceState, context: EngineContext): readonly ToolListing[] {
    const { rows, byAddress } = toolTable(state, context)
    const listed = rows.map(({ name, owner, status, asks, tool }): ToolListing => {
      return { name, source: owner.source, owner: owner.owner, status, asks, tool }
    })
    const names = new Map(listed.map(({ name, tool }) => [name, tool?.hash]))
    for (const [owner, tools] of context.catalog.skillTools) {
      for (const { tool } of tools) {
        const address = `${owner}/${tool.name}`
        if (names.get(tool.name) === tool.hash || byAddress.has(`skill:${address}`)) continue
        const isTaken = names.has(address) || byAddress.has(address)
        const other = isTaken ? `skill:${address}` : address
        const name = names.has(tool.name) ? other : tool.name
        names.set(name, tool.hash)
        listed.push({ name, source: 'skill', owner, status: 'skill-inactive', asks: false, tool })
      }
    }
    return listed
  }

  test('all tools are listed, whichever skills share names and tools and whichever are active', async () => {
    const names = fc.subarray(['a', 'b', 'toString'], { minLength: 1 })
    const skill = fc.record({ tools: names, isShared: fc.boolean(), isActive: fc.boolean() })
    await fc.assert(
      fc.asyncProperty(fc.array(skill, { minLength: 1, maxLength: 5 }), async (skills) => {
        const context = await contextOf({
          skills: skills.map(({ tools, isShared }, index) =>
            defineSkill({
              name: `skill-${index}`,
              description: 'A skill.',
              tools: tools.map((name) => TOOL(name, isShared ? 'Shared.' : `Of ${index}.`)),
            }),
          ),
        })
        const commands = skills.flatMap(({ isActive }, index) =>
          isActive ? [{ type: 'skill.activate', skill: `skill-${index}` } as const] : [],
        )
        const state = stateAfter(context, [OPENING, ...commands])
        expect(listTools(state, context)).toEqual(plainly(state, context))
      }),
    )
  })

  test('a skill named like the address of another one takes no name from it', async () => {
    const context = await contextOf({
      skills: [
        defineSkill({ name: 'one', description: 'One.', tools: [TOOL('a', 'First.')] }),
        defineSkill({ name: 'two', description: 'Two.', tools: [TOOL('a', 'Second.')] }),
      ],
      tools: [TOOL('a', 'Shared.')],
    })
    const state = stateAfter(context, [OPENING])
    expect(listTools(state, context)).toEqual(plainly(state, context))
  })
})

describe('listing address', () => {
  test.each([
    ['find', 'skill', 'maps', 'maps/find'],
    ['maps/find', 'skill', 'maps', 'maps/find'],
    ['skill:maps/find', 'skill', 'maps', 'skill:maps/find'],
    ['find', 'global', 'global', 'find'],
    ['find', 'component', 'maps', 'find'],
  ] as const)('%s of %s %s is asked about as %s', (name, source, owner, address) => {
    expect(listingAddress({ name, source, owner })).toBe(address)
  })
})
