/** Stands for "no agent" where things are kept by the identity of the agent. */
export const NO_AGENT: object = Object.freeze({})
