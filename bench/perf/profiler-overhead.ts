// What sampling costs and how near its peak is to the kernel's own: a busy child process is metered at 100 ms.
// Usage: node bench/perf/profiler-overhead.ts [seconds]
import { spawn } from 'node:child_process';
import { processMeter } from '../../src/profiler/process-meter.ts';

const seconds = Number(process.argv[2] ?? 10);
const work = `const blocks=[];const end=Date.now()+${seconds * 1000};let next=0;
while(Date.now()<end){if(Date.now()>next&&blocks.length<60){blocks.push(Buffer.alloc(4e6,1));next=Date.now()+50}for(let i=0;i<1e5;i++);}`;
const child = spawn(process.execPath, ['-e', work], { stdio: 'ignore' });
const session = await processMeter.start(() => [child.pid!], { intervalMs: 100 });
await new Promise((resolve) => setTimeout(resolve, seconds * 1000 - 300));
const summary = await session.stop();
child.kill();
const sampled = Math.max(...session.samples().map((sample) => sample.rssBytes ?? 0));
process.stdout.write(
  `${JSON.stringify(
    {
      samples: summary.samples,
      overheadCpuPercent: summary.overheadCpuPercent,
      sampledPeakOverKernelPeak: summary.kernelPeakRssBytes === null ? null : sampled / summary.kernelPeakRssBytes,
      goals: { overheadCpuPercent: 1, peakWithin: 0.02 },
    },
    null,
    2,
  )}\n`,
);
