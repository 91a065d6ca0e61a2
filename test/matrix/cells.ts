import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

/** What a cell belongs to; `--only` names groups. */
export const GROUPS = [
  'node',
  'managers',
  'msw',
  'workers',
  'vitest',
  'runners',
  'mutants',
  'typescript',
  'linters',
  'bundlers',
  'clients',
] as const
export type Group = (typeof GROUPS)[number]

export type Manager = 'npm' | 'pnpm' | 'yarn 1' | 'yarn 4 (PnP)' | 'bun' | 'deno'

/** One try of the packed package: a folder with these packages and files, in which these commands succeed. */
export interface Cell {
  readonly group: Group
  readonly title: string
  /** @default 'npm' */
  readonly manager?: Manager
  /** What is installed beside the packed file, with its versions. */
  readonly packages?: Readonly<Record<string, string>>
  /** Names of files in `projects/`, or their content by name. */
  readonly files: readonly (string | { readonly name: string; readonly content: string })[]
  /**
   * Command lines, run in turn, with the installed programs on the PATH. `{packed}` stands for the packed file, and
   * `{matrix}` for this folder.
   */
  readonly run: readonly string[]
  /** Members of the folder's package.json. */
  readonly manifest?: Readonly<Record<string, unknown>>
}

/** Of this machine's system, as npm calls it. */
const NODE_PACKAGE = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`
const ESM = { type: 'module' }
const PROJECTS = join(import.meta.dirname, 'projects')
/** The recipe of docs/runners.md. */
const JEST_SUITE = '../../recipes/jest/arrivals.spec.js'
const JEST_VERSION = '30.5.2'
const JEST = 'node --experimental-vm-modules node_modules/jest/bin/jest.js'

const NODES = ['22.12.0', '24.21.0', '26.10.0']
/** npm packages that bring a runtime. */
export const RUNTIMES = { bun: '1.4.5', deno: '2.9.6' }
const MANAGERS: readonly Manager[] = ['npm', 'pnpm', 'yarn 1', 'yarn 4 (PnP)', 'bun', 'deno']
/** The oldest of the peer range, the last of msw 2, and the newest. */
const MSW = ['2.13.4', '2.15.0', '3.0.5']
const VITEST = ['3.2.4', '4.1.12', '5.1.0'] as const
const TYPESCRIPT = ['5.9.3', '6.0.3', '7.0.2']
/** Until 1.53, Playwright itself hangs on Node 24 where an ES module is loaded, also without this package. */
const PLAYWRIGHT = ['1.54.0', '1.65.1'] as const
const CLIENTS = {
  fetch: undefined,
  axios: '1.21.1',
  ky: '2.1.0',
  got: '16.1.0',
  'node-fetch': '3.3.2',
  superagent: '10.4.2',
  'openapi-fetch': '0.17.0',
  ofetch: '1.5.1',
}

/** Everything that the packed package is tried with. */
export const CELLS: readonly Cell[] = [
  ...NODES.map(defineNode),
  { group: 'node', title: 'the Dockerfile’s commands', files: [], run: ['node {matrix}/run-dockerfile.ts {packed}'] },
  ...MANAGERS.map(defineManager),
  ...MSW.map(defineMsw),
  ...MSW.flatMap(defineWorkers),
  ...VITEST.map(defineVitest),
  ...defineRunners(),
  ...PLAYWRIGHT.map((version) => definePlaywright(version, ESM)),
  ...PLAYWRIGHT.map((version) => definePlaywright(version, {})),
  ...defineMutants(),
  ...TYPESCRIPT.flatMap((version) =>
    ['nodenext', 'bundler'].flatMap((resolution) => defineTypescript(version, resolution)),
  ),
  defineLinter(),
  ...defineBundlers(),
  defineNext(),
  defineStorybook(),
  defineQueryCache(),
  ...Object.entries(CLIENTS).map(([name, version]) => defineClient(name, version)),
]

function defineNode(version: string): Cell {
  const node = `node_modules/${NODE_PACKAGE}/bin/node`
  return {
    group: 'node',
    title: version,
    packages: { [NODE_PACKAGE]: version },
    files: ['smoke.mjs', 'server.mjs'],
    run: [`${node} smoke.mjs`, `${node} server.mjs ${node} node_modules/petstore-mock/dist/bin.js`],
  }
}

function defineManager(manager: Manager): Cell {
  const deno = 'deno run -A --node-modules-dir=manual'
  const installed = ['node smoke.mjs', 'node server.mjs petstore-mock']
  const commands: Readonly<Record<Manager, readonly string[]>> = {
    npm: installed,
    pnpm: installed,
    'yarn 1': installed,
    'yarn 4 (PnP)': ['yarn node smoke.mjs', 'yarn node server.mjs yarn petstore-mock'],
    bun: ['bun smoke.mjs', 'bun server.mjs bun node_modules/petstore-mock/dist/bin.js'],
    deno: [`${deno} smoke.mjs`, `${deno} server.mjs ${deno} node_modules/petstore-mock/dist/bin.js`],
  }
  const files = ['smoke.mjs', 'server.mjs']
  const version = RUNTIMES[manager as keyof typeof RUNTIMES]
  const title = version === undefined ? manager : `${manager} ${version} without interceptRequests`
  return { group: 'managers', title, manager, files, run: commands[manager], manifest: ESM }
}

function defineMsw(version: string): Cell {
  return {
    group: 'msw',
    title: version,
    packages: { msw: version },
    files: ['msw.mjs', 'smoke.mjs'],
    run: ['node msw.mjs', 'node smoke.mjs'],
  }
}

/** A service worker in Chromium. All cells of one msw share an installation. */
function defineWorkers(version: string): Cell[] {
  const open = 'node {matrix}/open-worker-page.ts'
  const build = (folder: string, command: string): Cell['run'] => [
    `${command}${folder}`,
    `petstore-mock init ${folder}`,
    `${open} ${folder}`,
  ]
  const runs: Readonly<Record<string, Cell['run']>> = {
    'Vite 8, dev server': ['petstore-mock init public', open],
    'Vite 8, build': build('out/vite', 'vite build --outDir '),
    'webpack 5': build('out/webpack', 'webpack -c bundle.mjs -o '),
    'esbuild 0.28': build('out/esbuild', 'esbuild worker-page.js --bundle --splitting --format=esm --outdir='),
    'Rspack 2': build('out/rspack', 'rspack build -c bundle.mjs -o '),
  }
  const packages = {
    msw: version,
    vite: '8.3.8',
    webpack: '5.112.2',
    'webpack-cli': '6.0.1',
    esbuild: '0.28.2',
    '@rspack/core': '2.2.8',
    '@rspack/cli': '2.2.8',
  }
  const bundle = "{ mode: 'production', entry: { 'worker-page': './worker-page.js' }, output: { publicPath: '/' } }"
  const files = [
    'worker-page.js',
    { name: 'index.html', content: '<script type="module" src="/worker-page.js"></script>\n' },
    { name: 'bundle.mjs', content: `export default ${bundle}\n` },
  ]
  return Object.entries(runs).map(([bundler, run]) => ({
    group: 'workers',
    title: `msw ${version}, ${bundler}`,
    packages,
    files,
    run,
    manifest: ESM,
  }))
}

function defineVitest(version: string): Cell {
  return {
    group: 'vitest',
    title: version,
    packages: { vitest: version },
    files: ['suite', 'vitest', 'outage'].map((name) => `../../examples/${name}.test.ts`),
    run: ['vitest run'],
    manifest: ESM,
  }
}

function defineRunners(): Cell[] {
  const define = (title: string, run: string, cell: Partial<Cell> = {}): Cell => ({
    group: 'runners',
    title,
    files: [],
    run: [run],
    ...cell,
  })
  const jest = (title: string, manifest: object, { packages = {}, ...cell }: Partial<Cell> = {}): Cell =>
    define(`Jest 30, ${title}`, JEST, {
      packages: { jest: JEST_VERSION, ...packages },
      files: [JEST_SUITE],
      manifest: { ...manifest },
      ...cell,
    })
  const esm = { transform: {} }
  const types = `import type { MockMatchers } from 'petstore-mock/matchers'
declare global { namespace jest { interface Matchers<R, T> extends MockMatchers<R, T> {} } }
`
  const babel = "module.exports = { presets: [['@babel/preset-env', { targets: { node: 'current' } }]] }\n"
  return [
    define('node:test', 'node --test', { files: ['../../recipes/node-test/arrivals.test.mjs'] }),
    define('Mocha 12', 'mocha suite.mocha.mjs', { packages: { mocha: '12.0.3' }, files: ['suite.mocha.mjs'] }),
    define('bun test beside a server', 'petstore-mock exec -- bun test', {
      manager: 'bun',
      packages: { axios: CLIENTS.axios },
      files: ['bun.spec.js'],
      manifest: ESM,
    }),
    jest('ES modules', { ...ESM, jest: esm }),
    // The suite becomes CommonJS; from Node 24.9 on Jest requires the packages as they are, ES modules.
    jest(
      'CommonJS with Babel',
      {},
      {
        packages: { '@babel/core': '7.29.0', '@babel/preset-env': '7.29.0', 'babel-jest': '30.5.2' },
        files: [JEST_SUITE, { name: 'babel.config.js', content: babel }],
      },
    ),
    jest('ts-jest', ESM, {
      packages: { '@types/jest': '30.0.0', 'ts-jest': '29.4.15', typescript: '6.0.3' },
      files: [
        ...['jest.config.js', 'tsconfig.json'].map((name) => `../../recipes/jest-typescript/${name}`),
        { name: 'suite.spec.ts', content: types + readFileSync(join(PROJECTS, JEST_SUITE), 'utf8') },
      ],
      run: ['tsc --noEmit', JEST],
    }),
    jest(
      'jest-fixed-jsdom',
      { ...ESM, jest: { ...esm, testEnvironment: 'jest-fixed-jsdom' } },
      { packages: { 'jest-environment-jsdom': '30.5.2', 'jest-fixed-jsdom': '0.0.11' } },
    ),
  ]
}

function definePlaywright(version: string, manifest: Readonly<Record<string, string>>): Cell {
  return {
    group: 'runners',
    title: `Playwright Test ${version}, ${manifest === ESM ? 'ES modules' : 'CommonJS'}`,
    packages: { '@playwright/test': version },
    files: ['suite.playwright.js', configurePlaywright('suite.playwright.js')],
    run: ['playwright test'],
    manifest,
  }
}

/** In Chromium from this checkout, since Playwright's own is a download of its own. */
function configurePlaywright(testMatch: string): Cell['files'][number] {
  const chromium = pathToFileURL(resolve(import.meta.dirname, '../browser/chromium.ts'))
  const options = `{ testMatch: '${testMatch}', use: { launchOptions: await findChromium() } }`
  const content = `import { findChromium } from '${chromium}'\nexport default ${options}\n`
  return { name: 'playwright.config.mjs', content }
}

/** Our own consumer in each runner, and suites that Portman generates from the OpenAPI document. */
function defineMutants(): Cell[] {
  const define = (title: string, run: string, files: Cell['files'], packages: Cell['packages'] = {}): Cell => {
    const [suites = '', ...command] = run.split(' ')
    const lines = suites.split(',').map((suite) => ['node mutate.mjs', suite, ...command].join(' '))
    return { group: 'mutants', title, packages, files, run: lines, manifest: ESM }
  }
  const ours = (...names: readonly string[]): string[] =>
    ['client.js', 'suites.js', ...names].map((name) => `../../mutants/consumer/${name}`).concat('mutate.mjs')
  const page = [...ours('in-page.pw.js'), configurePlaywright('in-page.pw.js')]
  const hasPytest = spawnSync('python3', ['-c', 'import pytest, requests']).status === 0
  const portman = [
    'mutate.mjs',
    ...['portman.sh', 'operations.json', 'variations.json'].map((name) => `portman/${name}`),
  ]
  // All mutants with the runner that starts fastest. The others meet second-pet, missing-pet, unknown-pet and new-property.
  const some = 'careful,careless,flaky,red --only=-p'
  const vitest = `${some} vitest run --reporter=junit --outputFile={junit}`
  const jest = `${some} env JEST_JUNIT_OUTPUT_FILE={junit} ${JEST} --reporters=jest-junit`
  const nodeTest = `careful,careless,empty,flaky,red,slow node --test-reporter=junit --test-reporter-destination={junit} on-server.mjs SUITE`
  const playwright = `${some} env PLAYWRIGHT_JUNIT_OUTPUT_FILE={junit} playwright test --reporter=junit`
  const pytest = `${some} python3 -m pytest --junitxml={junit} -k SUITE`
  return [
    define('Vitest 5', vitest, ours('in-process.spec.js', 'vitest.config.js'), { vitest: VITEST[2] }),
    define('Jest 30', jest, ours('in-process.spec.js', 'jest.config.js'), {
      jest: JEST_VERSION,
      'jest-junit': '16.0.0',
    }),
    define('node:test', nodeTest, ours('on-server.mjs')),
    define('Playwright Test 1.65', playwright, page, { '@playwright/test': PLAYWRIGHT[1] }),
    ...(hasPytest ? [define('pytest', pytest, ours('test_inventory.py'))] : []),
    define('Portman 1.33', 'contract,variations sh portman.sh SUITE.json', portman, {
      '@apideck/portman': '1.33.0',
      newman: '6.2.2',
      tslib: '2.9.1',
    }),
  ]
}

function defineTypescript(version: string, resolution: string): Cell[] {
  return [true, false].map((hasDom) => {
    const options = {
      strict: true,
      noEmit: true,
      skipLibCheck: false,
      target: 'es2024',
      lib: hasDom ? ['ES2023', 'DOM', 'DOM.Iterable'] : ['ES2023'],
      module: resolution === 'bundler' ? 'esnext' : resolution,
      moduleResolution: resolution,
      types: ['node'],
    }
    const config = JSON.stringify({ compilerOptions: options, files: ['types.ts'] })
    return {
      group: 'typescript',
      title: `${version}, ${resolution}${hasDom ? '' : ' without DOM'}`,
      packages: { typescript: version, '@types/node': '24.19.2' },
      files: ['types.ts', { name: 'tsconfig.json', content: config }],
      run: ['tsc'],
      manifest: ESM,
    }
  })
}

/** publint runs in test/package. */
function defineLinter(): Cell {
  const documents = 'openapi.yaml openapi-3.0.yaml control.openapi.yaml'
  return {
    group: 'linters',
    title: 'are-the-types-wrong 0.18',
    packages: { '@arethetypeswrong/cli': '0.18.5' },
    files: [],
    run: [`attw {packed} --profile esm-only --exclude-entrypoints ${documents}`],
  }
}

function defineBundlers(): Cell[] {
  const html = { name: 'index.html', content: '<script type="module" src="./page.ts"></script>\n' }
  const define = (title: string, packages: Record<string, string>, run: string, manifest = {}): Cell => ({
    group: 'bundlers',
    title,
    packages,
    files: ['page.ts', html],
    run: [run],
    manifest: { ...ESM, ...manifest },
  })
  return [
    define('Vite 8', { vite: '8.3.8' }, 'vite build --target es2022'),
    define('esbuild 0.28', { esbuild: '0.28.2' }, 'esbuild page.ts --bundle --splitting --format=esm --outdir=out'),
    define(
      'Parcel 2, with its option packageExports',
      { parcel: '2.16.4' },
      'parcel build index.html --no-cache',
      // Parcel reads the `exports` of packages only when it is told to: https://parceljs.org/features/dependency-resolution/#package-exports
      { '@parcel/resolver-default': { packageExports: true } },
    ),
  ]
}

/** The recipe of docs/runners.md: a page, its server and its tests share one state. */
function defineNext(): Cell {
  return {
    group: 'bundlers',
    title: 'Next.js 16, server and client components on one state',
    packages: { next: '16.4.6', react: '19.3.1', 'react-dom': '19.3.1' },
    manifest: ESM,
    files: readApp('next', [
      'instrumentation.js',
      ...['layout.jsx', 'page.jsx', 'with-mock.jsx', 'book.jsx', 'api.js'].map((name) => `app/${name}`),
    ]),
    run: ['next build', 'node {matrix}/open-next-app.ts'],
  }
}

/** The recipe of docs/runners.md. */
function defineStorybook(): Cell {
  const storybook = { storybook: '10.6.7', '@storybook/html-vite': '10.6.0', 'msw-storybook-addon': '3.0.3' }
  const files = ['.storybook/main.js', '.storybook/mock.js', '.storybook/preview.js', 'stock.js', 'stock.stories.js']
  return {
    group: 'bundlers',
    title: 'Storybook 10 with msw-storybook-addon 3',
    packages: { msw: '3.0.5', vite: '8.3.8', ...storybook },
    manifest: ESM,
    files: readApp('storybook', files),
    run: ['petstore-mock init public', 'storybook build --disable-telemetry'],
  }
}

/** The recipe of docs/browser.md. */
function defineQueryCache(): Cell {
  const react = { react: '19.3.1', 'react-dom': '19.3.1', '@tanstack/react-query': '5.108.4' }
  const files = ['main.tsx', 'app.tsx', 'mock.ts', 'query-client.ts'].map((name) => `src/${name}`)
  return {
    group: 'bundlers',
    title: 'React 19 with TanStack Query 5',
    packages: { msw: '3.0.5', vite: '8.3.8', '@vitejs/plugin-react': '5.2.0', ...react },
    manifest: ESM,
    files: [...readApp('react', ['index.html', 'vite.config.ts']), ...readApp('react-query', files)],
    run: ['petstore-mock init public', 'node {matrix}/open-query-app.ts'],
  }
}

function readApp(app: string, names: readonly string[]): Cell['files'] {
  const folder = resolve(import.meta.dirname, '../apps', app)
  return names.map((name) => ({ name, content: readFileSync(join(folder, name), 'utf8') }))
}

function defineClient(name: string, version: string | undefined): Cell {
  return {
    group: 'clients',
    title: version === undefined ? name : `${name} ${version}`,
    ...(version !== undefined && { packages: { [name]: version } }),
    files: ['client.mjs'],
    run: [`node client.mjs ${name}`],
  }
}
