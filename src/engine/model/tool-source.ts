/** Where a registration comes from. */
export const ToolSource = {
  /** A component's tool: there as long as the component is. */
  COMPONENT: 'component',
  /** A skill's tool: there while the skill is active. */
  SKILL: 'skill',
  /** Always there. */
  GLOBAL: 'global',
} as const

export type ToolSource = (typeof ToolSource)[keyof typeof ToolSource]
