import type { PortedAgent } from './ported-agent.ts'

const REPOSITORY = { owner: 'acme', repo: 'shop' }

const review = { ...REPOSITORY, pullNumber: 7, event: 'COMMENT', body: 'One line is not tested.' }

/** 42 tools of GitHub with presets: https://github.com/vercel-labs/github-tools. */
export const githubTools: PortedAgent = {
  name: 'github-tools',
  repository: 'https://github.com/vercel-labs/github-tools.git',
  commit: '1dbfcdd117ac8420e944b86bc7d3064841dcfecb',
  licence: 'MIT',
  folder: 'packages/github-tools',
  tools: 42,
  install: [['npm', 'install', '--no-audit', '--no-fund', '--ignore-scripts']],
  tests: ['node_modules/.bin/vitest', 'run'],
  passed: /Tests\s+(\d+) passed/g,
  entry: 'src/index.ts',
  patch: 'github-tools.patch',
  messages: ['Review pull request 7 of acme/shop.'],
  said: [
    { onlyMoved: [{ id: 'load', tool: 'loadSkill', input: { skillName: 'code-review' } }] },
    [
      { id: 'files', tool: 'listPullRequestFiles', input: { ...REPOSITORY, pullNumber: 7 } },
      { id: 'pull', tool: 'getPullRequest', input: { ...REPOSITORY, pullNumber: 7 } },
    ],
    [{ id: 'missing', tool: 'getFileContent', input: { ...REPOSITORY, path: 'left.ts' } }],
    [{ id: 'wrong', tool: 'getPullRequest', input: { ...REPOSITORY, pullNumber: 'seven' } }],
    [{ id: 'review', tool: 'createPullRequestReview', input: review }],
    'I commented on one line.',
  ],
  // The input is the one that the model sent, without the defaults of the schema. The gate says what is wrong.
  listed: ['files input', 'wrong errorText', 'wrong result'],
  create: ({ createGithubAgent }, model) =>
    (createGithubAgent as (options: object) => ReturnType<PortedAgent['create']>)({
      model,
      token: 'none',
    }),
  fetch({ pathname }) {
    const answers: Readonly<Record<string, unknown>> = {
      '/repos/acme/shop/pulls/7/files': Array.from({ length: 12 }, (_, index) => ({
        filename: `src/part-${index}.ts`,
        status: 'modified',
        additions: 400,
        deletions: 3,
        changes: 403,
        patch: `+ line ${index} of the change\n`.repeat(1200),
      })),
      '/repos/acme/shop/pulls/7': {
        number: 7,
        title: 'Pay in parts',
        state: 'open',
        user: { login: 'ada' },
        head: { ref: 'parts' },
        base: { ref: 'main' },
      },
      '/repos/acme/shop/pulls/7/reviews': {
        id: 1,
        state: 'COMMENTED',
        html_url: 'https://x',
        user: {},
      },
    }
    const body = answers[pathname]
    const headers = { 'content-type': 'application/json' }
    return body === undefined
      ? new Response('{"message":"Not Found"}', { status: 404, headers })
      : new Response(JSON.stringify(body), { headers })
  },
}
