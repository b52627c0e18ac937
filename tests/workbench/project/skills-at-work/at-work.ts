import { generateText, isStepCount } from 'ai'
import { createCatalog, VirtualWorkspace } from 'loadout'
import { forAiSdk } from 'loadout/ai-sdk'
import {
  fileTools,
  loadSkills,
  openScriptRunner,
  openTrustStore,
  type SandboxSession,
  shellTool,
} from 'loadout/node'
import { join } from 'node:path'
import { type Said, scriptedModel } from '../../../connections/wires/ai-sdk/scripted-model.ts'
import { temporaryFolder } from '../temporary-folder.ts'

/** Opens a session on the skill in a folder, and lets a model say these things in it. */
export async function atWork(folder: string, sandbox: SandboxSession) {
  const { skills } = await loadSkills([folder])
  const trust = openTrustStore({ file: join(await temporaryFolder(), 'trust.json') })
  await trust.trust(folder)
  const workspace = await VirtualWorkspace.open({
    catalog: await createCatalog({
      skills,
      tools: [...fileTools({ sandbox }), shellTool({ sandbox })],
    }),
    scripts: openScriptRunner({ trust, sandbox }),
    policy: { permissions: { allow: ['*'] } },
  })
  const says = async (said: readonly Said[]) => {
    const { steps } = await generateText({
      model: scriptedModel([...said, 'done']),
      prompt: 'Do it.',
      stopWhen: isStepCount(said.length + 1),
      ...forAiSdk(workspace),
    })
    return steps.flatMap(({ content }) =>
      content.flatMap((part) =>
        part.type === 'tool-result' ? [part.output as Record<string, unknown>] : [],
      ),
    )
  }
  return { workspace, says }
}

let calls = 0

/** One call of a tool, as an answer of the model. */
export const call = (tool: string, input: unknown): Said => [
  { id: `c${(calls += 1)}`, tool, input },
]
