import { fieldPlace, type LintSkill } from './lint-skill.ts'
import type { Diagnostic } from '../../../kernel/diagnostic.ts'
import type { TokenCounter } from '../../../kernel/token-counter.ts'
import { Findings } from '../../../skills/parse/findings.ts'
import { habitHint } from '../../../skills/parse/own-skill-fields.ts'

/** Words that do not distinguish one skill from another. */
const EMPTY_WORDS: ReadonlySet<string> = new Set(
  (
    'a an the this that these those it its is are be can will may and or of for to with in on at by from as when ' +
    'you your user users any all some other various different many more most etc general generic common useful ' +
    'helpful handy good great simple easy powerful best help helps helper helping assist assists assistant use ' +
    'uses using used utility utilities tool tools skill skills agent agents thing things stuff task tasks work ' +
    'works working do does doing make makes handle handles manage manages support supports provide provides ' +
    'need needs needed process processing data file files code todo tbd description'
  ).split(' '),
)

/** Meaningful words that a description should have, apart from those of the name. */
const MIN_WORDS = 3

/** Scripts without spaces between words: two letters count as one word. */
const UNSPACED =
  /[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}]/gu

/** English words that say when to use a skill. Descriptions in other scripts are not checked for them. */
const WHEN =
  /\b(?:when|whenever|while|if|use|used|uses|using|trigger|triggers|invoke|apply|before|after|during|asks?|asked|asking|wants?|needs?|mentions?|requests?|requires?|required|must|should|for)\b/i

/**
 * Checks that a model can see from a skill's description what it does and when to activate it. This is
 * a heuristic: it counts words and does not understand them.
 */
export function checkDescription(skill: LintSkill): readonly Diagnostic[] {
  const definition = skill.skill
  if (definition === null || !skill.fields.has('description')) return []
  const { name, description, triggers, whenToUse, disableModelInvocation } = definition
  // No model chooses it.
  if (disableModelInvocation === true) return []
  const findings = new Findings(skill.file)
  const place = fieldPlace(skill, 'description')
  if (countMeaningful(description, name) < MIN_WORDS) {
    findings.add(
      'warning',
      'description-vague',
      'The description says little about what the skill does: a model cannot see when to activate it.',
      'Say what it works on, what it does with it, and what a user would ask for.',
      place,
    )
  }
  const latin = /[a-z]/i.test(description) && !/[^\p{scx=Latin}\p{scx=Common}]/u.test(description)
  const isSaid = triggers.length > 0 || whenToUse !== '' || WHEN.test(description)
  // Triggers that are written elsewhere have a finding that says where they have an effect.
  const isElsewhere = [...skill.fields.keys()].some((field) =>
    /loadout\.triggers|when_to_use/.test(habitHint(field) ?? ''),
  )
  if (latin && !isSaid && !isElsewhere) {
    findings.add(
      'warning',
      'trigger-missing',
      'Neither the description nor triggers say when to use the skill.',
      'Add "Use when …" to the description, or `loadout.triggers` to metadata.',
      place,
    )
  }
  return findings.list
}

function countMeaningful(description: string, name: string): number {
  const known = new Set(splitWords(name))
  const words = splitWords(description.replaceAll(UNSPACED, ' '))
  const meaningful = words.filter((word) => !EMPTY_WORDS.has(word) && !known.has(word))
  const unspaced = description.match(UNSPACED)?.length ?? 0
  return new Set(meaningful).size + Math.floor(unspaced / 2)
}

function splitWords(text: string): readonly string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}\p{M}]+/gu) ?? []
}

/** Limits for instructions that the specification recommends. */
const MAX_LINES = 500

const MAX_TOKENS = 5_000

/** Checks the length of a skill's instructions, in lines and tokens. */
export function checkBudgets(skill: LintSkill, counter: TokenCounter): readonly Diagnostic[] {
  const findings = new Findings(skill.file)
  const place = { line: skill.bodyLine, column: 1 }
  const hint = 'Move parts that are not always needed into files of the skill, and link to them.'
  const lines = skill.body.trim() === '' ? 0 : skill.body.trim().split('\n').length
  if (lines > MAX_LINES) {
    findings.add(
      'warning',
      'instructions-lines',
      `The instructions have ${lines} lines; at most ${MAX_LINES} are recommended.`,
      hint,
      place,
    )
  }
  const tokens = counter.count(skill.body)
  if (tokens > MAX_TOKENS) {
    findings.add(
      'warning',
      'instructions-tokens',
      `The instructions have ${counter.isUpperBound?.(skill.body) === true ? 'up to ' : ''}${tokens} tokens (${counter.name}); at most ${MAX_TOKENS} are recommended.`,
      hint,
      place,
    )
  }
  if (lines === 0 && skill.skill !== null && addsNothing(skill.skill)) {
    findings.add(
      'warning',
      'instructions-missing',
      'The skill has no instructions and no tools: activating it changes nothing.',
      'Write the instructions below the front matter.',
      place,
    )
  }
  return findings.list
}

function addsNothing(skill: NonNullable<LintSkill['skill']>): boolean {
  const { tools, toolsets, requires } = skill
  return tools.length + toolsets.length + skill.extends.length + requires.length === 0
}
