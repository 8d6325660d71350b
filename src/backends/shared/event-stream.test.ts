import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createEventStream } from './event-stream.ts';

interface Seen {
  readonly events: readonly (readonly [data: string, event: string])[];
  readonly comments: number;
}

function read(blocks: readonly Buffer[], limitBytes?: number): Seen {
  const events: [string, string][] = [];
  let comments = 0;
  const stream = createEventStream({ onEvent: (data, event) => events.push([data, event]), onComment: () => comments++ }, limitBytes);
  for (const block of blocks) stream.push(block);
  stream.end();
  return { events, comments };
}
const dataOf = (text: string) => read([Buffer.from(text)]).events.map(([data]) => data);

describe('event stream', () => {
  it.each([
    ['LF', 'data: {"a":1}\n\n', ['{"a":1}']],
    ['CRLF', 'data: x\r\n\r\ndata: y\r\n\r\n', ['x', 'y']],
    ['CR', 'data: x\r\rdata: y\r\r', ['x', 'y']],
    ['no space after the colon', 'data:x\n\n', ['x']],
    ['one space is dropped, a second kept', 'data:  x\n\n', [' x']],
    ['several data lines', 'data: {"a":\ndata: 1}\n\n', ['{"a":\n1}']],
    ['a data line without a colon', 'data\n\n', ['']],
    ['comments and unknown fields', ': ping\nid: 7\nretry: 9\nfoo\ndata: x\n\n', ['x']],
    ['blank lines without data', '\n\n\ndata: x\n\n', ['x']],
    ['a byte order mark', '\ufeffdata: x\n\n', ['x']],
    ['a byte order mark only at the start', 'data: x\n\n\ufeffdata: y\n\n', ['x']],
    ['a last event without its blank line', 'data: x\n\ndata: [DONE]', ['x', '[DONE]']],
    ['fields whose name only begins with data', 'database: x\n\n', []],
  ])('reads %s', (_name, text, expected) => {
    expect(dataOf(text)).toEqual(expected);
  });

  it('knows named events and forgets the name afterwards', () => {
    expect(read([Buffer.from('event: error\ndata: {"message":"oom"}\n\ndata: x\n\n')]).events).toEqual([
      ['{"message":"oom"}', 'error'],
      ['x', ''],
    ]);
  });

  it('reads the same events wherever the network cuts, at every byte and in every pair of places', () => {
    const text = '\ufeff: hi\r\ndata: {"content":"€🙂é"}\r\n\r\nevent: e\ndata: a\ndata: ü\n\rdata: b\r\r: x\ndata: [DONE]\n\n';
    const bytes = Buffer.from(text);
    const whole = read([bytes]);
    expect(whole.events.map(([data]) => data)).toEqual(['{"content":"€🙂é"}', 'a\nü', 'b', '[DONE]']);
    for (let first = 0; first <= bytes.length; first++) {
      expect(read([bytes.subarray(0, first), bytes.subarray(first)])).toEqual(whole);
      for (let second = first; second <= bytes.length; second += 3) {
        expect(read([bytes.subarray(0, first), bytes.subarray(first, second), bytes.subarray(second)])).toEqual(whole);
      }
    }
    expect(read([...bytes].map((byte) => Buffer.from([byte])))).toEqual(whole);
  });

  it('gives back any events, whatever line ends and cuts were chosen', () => {
    const line = fc.string({ unit: 'grapheme' }).map((text) => text.replace(/[\r\n]/gu, ''));
    const events = fc.array(fc.array(line, { minLength: 1, maxLength: 3 }), { maxLength: 6 });
    const ending = fc.constantFrom('\n', '\r\n', '\r');
    fc.assert(
      fc.property(events, ending, fc.array(fc.nat(200), { maxLength: 8 }), (lists, end, places) => {
        const text = lists.map((lines) => lines.map((one) => `data: ${one}${end}`).join('') + end).join('');
        const bytes = Buffer.from(text);
        const cuts = [0, ...places.filter((place) => place < bytes.length).sort((left, right) => left - right), bytes.length];
        const blocks = cuts.slice(1).map((cut, index) => bytes.subarray(cuts[index]!, cut));
        expect(read(blocks).events.map(([data]) => data)).toEqual(lists.map((lines) => Buffer.from(lines.join('\n')).toString('utf8')));
      }),
      { numRuns: 300 },
    );
  });

  it('gives up on a line without an end', () => {
    const block = Buffer.alloc(1000, 'x');
    expect(() =>
      read(
        Array.from({ length: 20 }, () => block),
        10_000,
      ),
    ).toThrow('line of more than');
  });

  it('takes time in proportion to a long line that comes in small pieces', () => {
    const piece = Buffer.alloc(64, 'x');
    const startMs = performance.now();
    const { events } = read([Buffer.from('data: '), ...Array.from({ length: 100_000 }, () => piece), Buffer.from('\n\n')]);
    expect(events[0]![0]).toHaveLength(6_400_000);
    // Some 50 ms of work; looking at every piece again with each new one would copy 300 gigabytes.
    expect(performance.now() - startMs).toBeLessThan(5000);
  });
});
