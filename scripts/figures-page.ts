import { adapterSection } from './figures/adapter.ts'
import { carnetSection } from './figures/carnet.ts'
import { cmsSection } from './figures/cms.ts'
import { coreSection } from './figures/core.ts'
import { exposureSection } from './figures/exposure.ts'
import type { FiguresSection } from './figures/figures-section.ts'
import { manifestSection } from './figures/manifest.ts'
import { pageSection } from './figures/page.ts'
import { searchSection } from './figures/search-section.ts'
import { sessionsSection } from './figures/sessions.ts'
import { terminalSection } from './figures/terminal.ts'

/** The parts of the page, in order. A bench that writes results adds its own here. */
export const FIGURES_SECTIONS: readonly FiguresSection[] = [
  coreSection,
  searchSection,
  manifestSection,
  pageSection,
  exposureSection,
  cmsSection,
  adapterSection,
  carnetSection,
  sessionsSection,
  terminalSection,
]

/**
 * `docs/figures.md`, as Markdown.
 *
 * @param results what `bench/results/<name>.json` holds
 */
export function figuresPage(results: (name: string) => unknown): string {
  const sections = FIGURES_SECTIONS.map(({ name, write }) => write(results(name)))
  return ['# Figures\n', ...sections].join('\n')
}
