// Who may import whom (docs/architecture.md). Checked by scripts/layers.mjs as part of `npm run check`.
const pureAdapters = ['core'];
const everyRoom = [
  'core',
  'stats',
  'formats',
  'templating',
  'sources',
  'python',
  'sandbox',
  'embedding',
  'metrics',
  'tasks',
  'datasets',
  'backends',
  'training',
  'store',
  'config',
  'profiler',
  'runner',
  'report',
];
const mayUse = {
  core: [],
  stats: pureAdapters,
  formats: pureAdapters,
  templating: pureAdapters,
  sources: pureAdapters,
  python: pureAdapters,
  sandbox: pureAdapters,
  embedding: ['core', 'sources'],
  metrics: ['core', 'stats'],
  tasks: ['core', 'stats', 'metrics', 'templating'],
  datasets: ['core', 'sources', 'templating', 'stats'],
  backends: ['core', 'sources', 'formats', 'templating', 'python'],
  training: ['core', 'sources', 'formats', 'templating', 'python'],
  store: pureAdapters,
  config: pureAdapters,
  profiler: ['core', 'stats'],
  runner: ['core', 'stats'],
  report: ['core', 'stats'],
  app: everyRoom,
  'web/server': ['core', 'app', 'report'],
  'web/client': ['core', 'report'],
  cli: ['core', 'app', 'config', 'report', 'web/server'],
};
const roomRules = Object.entries(mayUse).map(([room, allowed]) => ({
  name: `room:${room}`,
  severity: 'error',
  from: { path: `^src/${room}/`, pathNot: '[.]test[.]tsx?$' },
  to: { path: '^src/', pathNot: [`^src/${room}/`, ...allowed.map((other) => `^src/${other}/`)] },
}));
const homes = {
  koffi: '^src/backends/llama/',
  '@huggingface/jinja': '^src/templating/',
  hyparquet: '^src/datasets/',
  'apache-arrow': '^src/datasets/',
  pyodide: '^src/sandbox/',
  'quickjs-emscripten': '^src/sandbox/',
  echarts: '^src/(report|web)/',
  'pg-boss': '^src/store/',
  undici: '^src/(backends|sources|app|cli)/',
  commander: '^src/cli/',
  yaml: '^src/config/',
};
const homeRules = Object.entries(homes).map(([name, path]) => ({
  name: `home:${name}`,
  severity: 'error',
  from: { path: '^src/', pathNot: [path, '[.]test[.]tsx?$'] },
  to: { path: `node_modules/${name}(/|$)` },
}));

export default {
  forbidden: [
    ...roomRules,
    ...homeRules,
    {
      name: 'no-cycles',
      severity: 'error',
      from: { path: '^src/' },
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    {
      name: 'adapters-are-islands',
      severity: 'error',
      from: { path: '^src/(backends|datasets|training|store|sources|sandbox)/([^/]+)/', pathNot: '[.]test[.]ts$' },
      to: { path: '^src/$1/[^/]+/', pathNot: '^src/$1/($2|shared)/' },
    },
    {
      name: 'pure-rooms-no-node',
      severity: 'error',
      from: {
        path: '^src/(core|stats|formats|templating|metrics|tasks|runner|report|web/client)/',
        pathNot: ['[.]test[.]tsx?$', 'vite[.]config[.]ts$'],
      },
      to: { dependencyTypes: ['core'] },
    },
    { name: 'facade-is-outward', severity: 'error', from: { path: '^src/', pathNot: '[.]test[.]tsx?$' }, to: { path: '^src/index[.]ts$' } },
    { name: 'unresolvable', severity: 'error', from: { path: '^src/' }, to: { couldNotResolve: true } },
    {
      name: 'every-file-in-a-room',
      severity: 'error',
      from: { path: '^src/', pathNot: ['^src/index[.]ts$', ...Object.keys(mayUse).map((room) => `^src/${room}/`)] },
      to: {},
    },
  ],
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    doNotFollow: { path: 'node_modules' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'types'],
      extensions: ['.ts', '.tsx', '.js', '.mjs'],
    },
  },
};
