// The viewer's data as JSON, and the three things a reader can change: name and tags, deleting, undoing that.
import { Hono } from 'hono';
import type { RunLibrary } from '../../app/view/open-library.ts';
import { ToolError } from '../../core/errors.ts';
import { liveEvents } from './live-events.ts';
import { compareQuery, flipsQuery, notesChange, readInput, runsQuery, samplesQuery, slotParameter } from './query-schemas.ts';

async function readBody(request: Request): Promise<unknown> {
  if (!/^application\/json\b/i.test(request.headers.get('content-type') ?? ''))
    throw new ToolError('usage', 'the body must be application/json');
  return request.json().catch(() => {
    throw new ToolError('usage', 'the body is not JSON');
  });
}

function readRoutes(library: RunLibrary): Hono {
  return new Hono()
    .get('/runs', async (context) => {
      const { offset, limit, ...filter } = readInput(runsQuery, context.req.query());
      return context.json(await library.listRuns(filter, offset, limit));
    })
    .get('/runs/:id', async (context) => context.json(await library.runDetail(context.req.param('id'))))
    .get('/runs/:id/samples', async (context) =>
      context.json(await library.samples(context.req.param('id'), readInput(samplesQuery, context.req.query()))),
    )
    .get('/runs/:id/samples/:slot', async (context) => {
      const { offset: _, limit: __, ...query } = readInput(samplesQuery, context.req.query());
      return context.json(await library.sample(context.req.param('id'), readInput(slotParameter, context.req.param('slot')), query));
    })
    .get('/runs/:id/samples/:slot/prompt', async (context) =>
      context.json(await library.prompt(context.req.param('id'), readInput(slotParameter, context.req.param('slot')))),
    )
    .get('/compare', async (context) => {
      const { runs, baseline } = readInput(compareQuery, context.req.query());
      return context.json(await library.compare(runs, baseline));
    })
    .get('/flips', async (context) => {
      const query = readInput(flipsQuery, context.req.query());
      return context.json(
        await library.flips(
          { run: query.leftRun, model: query.leftModel },
          { run: query.rightRun, model: query.rightModel },
          { task: query.task, direction: query.direction, offset: query.offset, limit: query.limit },
        ),
      );
    })
    .get('/leaderboard', async (context) => context.json(await library.leaderboard()))
    .get('/training', async (context) => context.json(await library.training()))
    .get('/events', (context) => liveEvents(context, library));
}

export function apiRoutes(library: RunLibrary): Hono {
  return readRoutes(library)
    .patch('/runs/:id', async (context) =>
      context.json(await library.setNotes(context.req.param('id'), readInput(notesChange, await readBody(context.req.raw)))),
    )
    .delete('/runs/:id', async (context) => {
      await library.remove(context.req.param('id'));
      return context.json({ removed: context.req.param('id') });
    })
    .post('/runs/:id/restore', async (context) => {
      await library.restore(context.req.param('id'));
      return context.json({ restored: context.req.param('id') });
    });
}
