import { openScriptRunner } from '../../../../src/workbench/project/scripts/open-script-runner.ts'
import { loadSkills } from '../../../../src/workbench/project/folders/load-skills.ts'
import { openTrustStore } from '../../../../src/workbench/project/trust/trust-store.ts'

// A host that runs a script until it is killed.
const [, , skills = '', cwd = '', file = ''] = process.argv
const [skill] = (await loadSkills([skills])).skills
if (skill?.files[0] === undefined) throw new Error('there is no script')
await openScriptRunner({ trust: openTrustStore({ file }), cwd }).run({
  skill,
  file: skill.files[0],
  arguments: [],
  stdin: '',
  signal: new AbortController().signal,
})
