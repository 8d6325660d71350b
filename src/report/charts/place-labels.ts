// Finds a free place for the name of each point: beside its own bubble, clear of other bubbles and names.

export interface LabelledPoint {
  readonly x: number;
  readonly y: number;
  readonly radius: number;
  readonly widthPx: number;
  readonly heightPx: number;
  /** Try the upper left first: the side where nothing better lies. */
  readonly prefersLeft: boolean;
}

export interface LabelPlace {
  /** Centre of the label relative to the point. */
  readonly dx: number;
  readonly dy: number;
  /** Right beside the bubble: no line is needed. */
  readonly isNear: boolean;
}

interface Box {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** Unit directions; the label's near edge lies that way from the bubble. */
const right = [1, 0] as const;
const left = [-1, 0] as const;
const others = [
  [0, -1],
  [0, 1],
  [-1, -1],
  [1, -1],
  [-1, 1],
  [1, 1],
] as const;

function candidate(point: LabelledPoint, [x, y]: readonly [number, number], distance: number): LabelPlace {
  const reach = point.radius + distance;
  const slant = x !== 0 && y !== 0 ? 0.75 : 1;
  return { isNear: distance <= 14, dx: x * (reach * slant + point.widthPx / 2), dy: y * (reach * slant + point.heightPx / 2) };
}

function boxOf(point: LabelledPoint, place: LabelPlace): Box {
  const x = point.x + place.dx;
  const y = point.y + place.dy;
  return { left: x - point.widthPx / 2, right: x + point.widthPx / 2, top: y - point.heightPx / 2, bottom: y + point.heightPx / 2 };
}

function overlapArea(a: Box, b: Box): number {
  const width = Math.min(a.right, b.right) - Math.max(a.left, b.left);
  const height = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
  return width > 0 && height > 0 ? width * height : 0;
}

/** Greedy in the given order; the place with the least overlap wins, the first of equals. */
export function placeLabels(points: readonly LabelledPoint[], frame: Box): LabelPlace[] {
  const bubbles = points.map(
    (point): Box => ({
      left: point.x - point.radius,
      right: point.x + point.radius,
      top: point.y - point.radius,
      bottom: point.y + point.radius,
    }),
  );
  const taken: Box[] = [];
  return points.map((point, index) => {
    const directions = point.prefersLeft ? [left, ...others, right] : [right, ...others, left];
    const places = [5, 14, 26, 40, 56].flatMap((distance) =>
      directions.map((direction) => ({ place: candidate(point, direction, distance), distance })),
    );
    let best = places[0]!.place;
    let least = Number.POSITIVE_INFINITY;
    for (const { place, distance } of places) {
      const box = boxOf(point, place);
      const outside = box.left < frame.left || box.right > frame.right || box.top < frame.top || box.bottom > frame.bottom ? 4000 : 0;
      const covered = taken.reduce((sum, other) => sum + overlapArea(box, other), 0) * 3;
      const onBubbles = bubbles.reduce((sum, other, at) => (at === index ? sum : sum + overlapArea(box, other)), 0);
      const cost = outside + covered + onBubbles + distance * 0.5;
      if (cost < least) {
        least = cost;
        best = place;
      }
    }
    taken.push(boxOf(point, best));
    return best;
  });
}
