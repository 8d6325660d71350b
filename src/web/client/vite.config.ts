// Builds the viewer's client: one classic script, so that an exported site also opens from a folder without a server, and the
// charts as a second script that is loaded with the first chart.
import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { build, defineConfig, type Plugin } from 'vite';

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const chartsMarker = '%CHARTS_SCRIPT%';

/** The chart library as a script of its own; its file name is put into the page's meta tag. */
function chartsScript(): Plugin {
  let reference = '';
  return {
    name: 'slmbench-charts-script',
    apply: 'build',
    async buildStart() {
      const result = await build({
        configFile: false,
        logLevel: 'warn',
        define: { 'process.env.NODE_ENV': '"production"' },
        build: {
          write: false,
          lib: { entry: here('./charts-entry.ts'), formats: ['iife'], name: 'slmbenchCharts', fileName: () => 'charts.js' },
        },
      });
      const output = Array.isArray(result) ? result[0] : result;
      if (output === undefined || !('output' in output)) throw new Error('the charts script was not built');
      reference = this.emitFile({ type: 'asset', name: 'charts.js', source: output.output[0].code });
    },
    // Before the chunk gets its digest, so that a new charts script makes a new name of the page's script too.
    renderChunk(code) {
      return code.includes(chartsMarker) ? { code: code.replaceAll(chartsMarker, this.getFileName(reference)), map: null } : null;
    },
  };
}

/** Module scripts do not load from a folder; a deferred classic script does. */
function classicScript(): Plugin {
  return {
    name: 'slmbench-classic-script',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler: (html) =>
        html
          .replace(/<script type="module" crossorigin/g, '<script defer')
          .replace(/<link rel="stylesheet" crossorigin/g, '<link rel="stylesheet"'),
    },
  };
}

export default defineConfig({
  root: here('.'),
  base: './',
  plugins: [react(), chartsScript(), classicScript()],
  build: {
    outDir: process.env['SLMBENCH_CLIENT_OUT'] ?? here('../../../dist/web/client'),
    emptyOutDir: true,
    target: 'es2023',
    modulePreload: false,
    cssCodeSplit: false,
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 900,
    rollupOptions: {
      output: { format: 'iife', entryFileNames: 'assets/viewer-[hash].js', assetFileNames: 'assets/[name]-[hash][extname]' },
    },
  },
});
