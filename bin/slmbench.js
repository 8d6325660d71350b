#!/usr/bin/env node
// Starts the CLI. Plain JavaScript that any Node can parse, so that an old Node gets a sentence, not a stack.
const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 24 || (major === 24 && minor < 11)) {
  process.stderr.write(
    `slmbench needs Node 24.11 or newer; this is ${process.versions.node} (${process.execPath}).\n` +
      'Install a newer Node, or use the copy beside this package: npx -p node@24 -p slmbench slmbench ...\n',
  );
  process.exitCode = 2;
} else {
  const { enableCompileCache } = await import('node:module');
  enableCompileCache();
  const { main } = await import('../dist/cli/main.js');
  process.exitCode = await main(process.argv.slice(2));
}
