/** Pages of clients, and sources where those say more, from which rules were taken. */
export const CLIENT_PAGES = {
  claudeApi: 'https://platform.claude.com/docs/en/agents-and-tools/agent-skills/overview',
  claudeCode: 'https://code.claude.com/docs/en/skills',
  codex: 'https://github.com/openai/codex/blob/main/codex-rs/core-skills/src/loader.rs',
  cursor: 'https://cursor.com/docs/context/skills',
  geminiCli:
    'https://github.com/google-gemini/gemini-cli/blob/main/packages/core/src/skills/skillLoader.ts',
  openCode: 'https://opencode.ai/docs/skills',
  vsCode: 'https://code.visualstudio.com/docs/copilot/customization/agent-skills',
} as const
