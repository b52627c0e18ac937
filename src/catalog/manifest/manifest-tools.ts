import type { Manifest, ManifestTool, ManifestToolset } from './manifest.ts'

/** Every tool of a manifest, in the order a catalog looks them through. */
export function* manifestTools(manifest: Manifest): Generator<ManifestTool> {
  yield* manifest.tools
  for (const { tools, toolsets } of manifest.skills) {
    yield* byValue(tools)
    for (const toolset of toolsets) if (typeof toolset !== 'string') yield* toolsIn(toolset)
  }
  for (const toolset of manifest.toolsets) yield* toolsIn(toolset)
}

function* toolsIn({ tools }: ManifestToolset): Generator<ManifestTool> {
  yield* byValue(tools)
}

function* byValue(tools: readonly (ManifestTool | string)[]): Generator<ManifestTool> {
  for (const tool of tools) if (typeof tool !== 'string') yield tool
}
