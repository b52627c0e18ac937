import type { Manifest } from 'loadout/carnet'

/** A research project: one initial skill, two to load, and one that is not for this agent. */
export function aManifest(): Manifest {
  return {
    version: 1,
    app: { globalInitialSkills: [], globalSkills: [] },
    agents: {
      researcher: {
        name: 'researcher',
        description: 'Finds and reads.',
        initialSkills: ['webSearch'],
        skills: ['dataAnalysis', 'documents'],
        prompt: 'You research {{ TOPIC }} for {{ COMPANY }}.',
      },
      writer: {
        name: 'writer',
        description: 'Writes.',
        initialSkills: [],
        skills: ['documents'],
        prompt: 'You write.',
      },
    },
    skills: {
      webSearch: {
        name: 'webSearch',
        description: 'Search the web.',
        toolsets: ['search-tools', 'filter-tools'],
        files: [
          {
            path: 'guides/queries.md',
            description: 'Good queries',
            content: '# Queries\nBe brief.',
          },
        ],
        content: '# Web search\nAsk {{ COMPANY }} first.',
      },
      dataAnalysis: {
        name: 'dataAnalysis',
        description: 'Analyse data.',
        toolsets: ['statistical-analysis'],
        content: '# Analysis\nLook at the spread.',
      },
      documents: {
        name: 'documents',
        description: 'Read documents.',
        toolsets: [],
        content: '# Documents',
      },
      secrets: {
        name: 'secrets',
        description: 'For nobody.',
        toolsets: ['secret-tools'],
        files: [{ path: 'key.md', description: 'The key', content: 'swordfish' }],
        content: 'swordfish',
      },
    },
    toolsets: {
      'search-tools': {
        name: 'search-tools',
        description: 'Core search.',
        tools: ['basicSearch', 'advancedSearch'],
        content: 'Begin with basicSearch on {{ TOPIC }}.',
      },
      'filter-tools': {
        name: 'filter-tools',
        description: 'Filters.',
        tools: ['filterByDate'],
        content: 'Filter last.',
      },
      'statistical-analysis': {
        name: 'statistical-analysis',
        description: 'Statistics.',
        tools: ['analyzeStatistics'],
        content: 'Mean and median.',
      },
      'secret-tools': {
        name: 'secret-tools',
        description: 'Secrets.',
        tools: ['openSafe'],
        content: 'swordfish',
      },
    },
    tools: {
      basicSearch: {
        name: 'basicSearch',
        description: 'Perform basic web search',
        content: 'One query.',
      },
      advancedSearch: {
        name: 'advancedSearch',
        description: 'Search with filters',
        content: 'Filters of {{ COMPANY }}.',
      },
      filterByDate: { name: 'filterByDate', description: 'Filter by date', content: 'ISO dates.' },
      analyzeStatistics: {
        name: 'analyzeStatistics',
        description: 'Analyse numbers',
        content: 'Numbers.',
      },
      openSafe: { name: 'openSafe', description: 'Open the safe', content: 'swordfish' },
    },
  }
}
