/** What a call answers with whose handler goes on in the background. */
export interface RunningCall {
  readonly status: 'running'
  /** Its id, by which what it came to can be asked for. */
  readonly call: string
}
