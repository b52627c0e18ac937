/** What a host is told of a tool in quarantine: when it comes, and when a session is opened with it. */
export function toolChanged(tool: string) {
  return {
    code: 'tool-changed',
    message: `The tool "${tool}" is not what was agreed to; it stays off.`,
    hint: `Look at the difference that explain gives, and accept it with acceptTool("${tool}").`,
  }
}
