import { defineAgent, type Agent, type Catalog } from 'loadout'
import { cmsAgent } from '../cms-agent.ts'

/** The same agent without search: all tools from the start, all rules and guidance in its prompt. */
export function withEverything(catalog: Catalog): Agent {
  return defineAgent({
    name: 'editor-with-everything',
    prompt: [cmsAgent.prompt, ...allRules(catalog)].join('\n\n'),
  })
}

/** What searches would tell one by one: the rules of every topic, the guidance of every tool. */
export function allRules({ rules, globalTools }: Catalog): readonly string[] {
  const guidance = globalTools.flatMap(({ name, guidance = {} }) => {
    const { before, after, pitfalls = [] } = guidance
    const texts = [before, after, ...pitfalls].filter((text) => text !== undefined)
    return texts.map((text) => `- \`${name}\`: ${text}`)
  })
  return [...[...rules.values()].map(({ text }) => text), guidance.join('\n')]
}
