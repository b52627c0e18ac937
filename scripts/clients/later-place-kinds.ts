import { skillsIn } from './case-folder.ts'
import type { Kind } from './kinds.ts'
import { skillAt, skillFile } from './place-kinds.ts'
import { skillText } from './text-kinds.ts'

const BOTH = ['.claude/skills', '.agents/skills']

/** Kinds of settings and of whole surroundings, written after the profiles. */
export const LATER_PLACE_KINDS: Readonly<Record<string, Kind>> = {
  'odd-settings': ({ one, some }) => ({
    what: 'Settings that are not quite JSON, or have other types.',
    files: {
      ...skillAt(['a', 'b', 'c']),
      '.claude/settings.json': one([
        '{"skillOverrides": {"a": "off",}}',
        '// note\n{"skillOverrides": {"a": "off"}}',
        '\uFEFF{"skillOverrides": {"a": "off"}}',
        '{"skillOverrides": {"a": "OFF", "b": false, "c": "off"}}',
        '{"skillOverrides": ["a"], "skillListingMaxDescChars": "8"}',
        '{"skillOverrides": {"a": "none", "b": "off"}, "unknownKey": 1}',
        '{"skillListingMaxDescChars": 0}',
        '{"skillListingMaxDescChars": -3}',
        '{"skillListingMaxDescChars": 3.7}',
        '{"skillListingBudgetFraction": 2}',
        '{"disableBundledSkills": "true", "skillOverrides": {"a": "off"}}',
        '',
        '[]',
      ]),
      'opencode.json': one([
        '{"permission": {"skill": {"a": "deny",}}}',
        '{ // note\n"permission": {"skill": {"b": "deny"}}}',
        '{"permission": {"skill": "deny"}}',
        '{"permission": "allow"}',
        '{"permission": {"skill": {}}}',
      ]),
      '.pi/settings.json': one([
        '{"skills": ["!a",]}',
        '{"skills": []}',
        '{"enableSkillCommands": false}',
        '{"skills": ["/nowhere", "../.agents/skills/b"]}',
      ]),
    },
    home: {
      files: {
        '.codex/config.toml': one([
          '[[skills.config]]\nname = "a"\nenabled = false\nnote = 1\n',
          '[skills]\nbundled = { enabled = false }\n',
          '[[skills.config]]\nname = "nobody"\nenabled = false\n',
          '[skills]\n[[skills.config]]\nname = "b"\nenabled = false\n[[skills.config]]\nname = "b"\nenabled = true\n',
        ]),
        ...Object.fromEntries(
          some(1, [
            ['.claude/settings.json', '{"skillOverrides":{"c":"off"}}'] as const,
            ['.claude/x', 'x'] as const,
          ]),
        ),
      },
    },
  }),
  'settings-above': ({ one }) => ({
    what: 'Settings in folders above the working folder.',
    cwd: one(['app', 'app/src']),
    files: {
      ...skillAt(['a', 'b', 'c']),
      ...skillAt(
        ['d'],
        BOTH.map((at) => `app/${at}`),
      ),
      'app/src/x.ts': 'x',
      '.claude/settings.json': '{"skillOverrides": {"a": "off"}}',
      'app/.claude/settings.json': one([
        '{"skillOverrides": {"b": "off"}}',
        '{"skillOverrides": {"d": "name-only"}}',
      ]),
      'opencode.json': '{"permission": {"skill": {"a": "deny", "b": "deny"}}}',
      'app/opencode.json': one([
        '{"permission": {"skill": {"b": "allow"}}}',
        '{"permission": {"skill": {"d": "deny"}}}',
      ]),
      [one(['opencode.jsonc', '.opencode/opencode.json', 'app/.opencode/opencode.jsonc'])]:
        '{"permission": {"skill": {"c": "deny"}}}',
      '.pi/settings.json': '{"skills": ["!a"]}',
    },
    home: {
      files: {
        '.config/opencode/opencode.json': one([
          '{"permission": {"skill": {"c": "deny"}}}',
          '{"permission": {"skill": {"*": "deny"}}}',
        ]),
        '.pi/agent/settings.json': one(['{"skills": ["!b"]}', '{"skills": ["~/more"]}']),
        ...skillAt(['of-more'], ['more']),
      },
    },
  }),
  'skill-rules': ({ some }) => ({
    what: 'Rules about skills in permissions.',
    files: {
      ...skillAt(['a', 'b', 'ab', 'c']),
      '.claude/settings.json': JSON.stringify({
        permissions: {
          deny: some(3, ['Skill', 'Skill(a)', 'Skill(b:*)', 'Skill(a*)', 'Skill(*)', 'Bash']),
          allow: some(1, ['Skill(a)', 'Skill(c)']),
        },
      }),
      'opencode.json': JSON.stringify({
        permission: {
          skill: Object.fromEntries(
            some(3, [
              ['a*', 'deny'],
              ['*b', 'ask'],
              ['?', 'deny'],
              ['A', 'deny'],
              ['ab', 'allow'],
              ['[ab]', 'deny'],
              ['', 'deny'],
            ]),
          ),
        },
      }),
    },
  }),
  'agents-of-opencode': ({ one }) => ({
    what: 'Tools and agents that are switched off in the settings.',
    files: {
      ...skillAt(['a', 'b']),
      'opencode.json': one([
        '{"tools": {"skill": false}}',
        '{"agent": {"build": {"permission": {"skill": {"a": "deny"}}}}}',
        '{"agent": {"build": {"tools": {"skill": false}}}}',
        '{"skills": {"paths": ["more", "./more/g"]}}',
        '{"skills": {"paths": ["{{home}}/more", "~/more"]}}',
        '{"permission": {"*": "ask", "skill": "allow"}}',
      ]),
      ...skillAt(['in-more', 'g/deeper'], ['more']),
    },
    home: { files: skillAt(['of-home'], ['more']) },
  }),
  'command-twins': ({ one, some }) => ({
    what: 'A command and a skill of one name, in the project and in the home.',
    files: {
      ...skillAt(some(2, ['same', 'other', 'third'])),
      [`.claude/commands/${one(['same.md', 'g/same.md', 'same/SKILL.md'])}`]: skillText(
        one([
          'description: A command.',
          'description: A command.\ndisable-model-invocation: true',
          'name: other\ndescription: A command.',
          'description: A command.\nuser-invocable: false',
        ]),
      ),
      '.claude/commands/third.md': 'Third line.\n',
    },
    home: {
      files: {
        '.claude/commands/other.md': skillText('description: Of the home.'),
        ...skillAt(some(1, ['same', 'third']), ['.claude/skills']),
      },
    },
  }),
  'plugin-in-root': ({ one }) => ({
    what: 'The project is itself a plugin.',
    files: {
      ...skillAt(['plain']),
      ...skillAt(['shipped'], ['skills', 'extra/skills']),
      [one(['.claude-plugin/plugin.json', '.codex-plugin/plugin.json', '.agents/plugin.json'])]:
        one([
          '{"name":"kit","skills":["./extra/skills"]}',
          '{"name":"kit","skills":"./skills/shipped"}',
          '{"name":"a b","version":"1"}',
          '{"name":"kit"}',
        ]),
      '.claude-plugin/marketplace.json': '{"name":"m","plugins":[{"name":"kit","source":"./"}]}',
      '.agents/plugins/marketplace.json': '{"name":"m","plugins":[{"name":"kit","source":"./"}]}',
    },
  }),
  'links-of-homes': ({ some }) => ({
    what: 'Folders of the home that are links to each other, and skills that are in both.',
    files: skillAt(['p']),
    home: {
      files: {
        ...skillAt(['h1', 'h2'], ['dotfiles/skills']),
        'dotfiles/one/SKILL.md': skillFile('one'),
      },
      links: Object.fromEntries(
        some(4, [
          ['.claude/skills', '../dotfiles/skills'],
          ['.agents/skills', '../dotfiles/skills'],
          ['.codex/skills', '../dotfiles/skills'],
          ['.config/opencode/skills', '../../dotfiles/skills'],
          ['.pi/agent/skills', '../../dotfiles/skills'],
          ['.opencode/skills', '{{home}}/dotfiles/skills'],
        ]),
      ),
    },
  }),
  'mixed-real-life': ({ some, one, words }) => ({
    what: 'A project as several people leave it.',
    cwd: one(['.', 'apps/web']),
    files: {
      ...skillsIn(BOTH, {
        'review-code': skillText(`name: Review Code\ndescription: ${words(3)}: ${words(2)}.`),
        deploy: skillText(
          `name: deploy\ndescription: ${words(3)}.\nargument-hint: [env] [tag]\nallowed-tools: Bash(git:*), Read`,
        ),
        old: `# Old\n\n${words(4)}.\n`,
      }),
      ...skillAt(
        some(2, ['deploy', 'web', 'x/y']),
        BOTH.map((at) => `apps/web/${at}`),
      ),
      '.claude/skills/README.md': '# Skills\n',
      '.agents/skills/README.md': '# Skills\n',
      '.claude/commands/deploy.md': `${words(3)}\n`,
      '.cursor/rules/x.mdc': '---\ndescription: x\n---\n',
      '.mcp.json': '{"mcpServers":{}}',
    },
    links: { '.opencode/skills': '../.agents/skills' },
  }),
}
