// The part of C's strftime that chat templates use.

const months = ['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September', 'October', 'November', 'December'];
const days = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];

/** Local date by a strftime format; an unknown directive is kept as written. */
export function formatDate(date: Date, format: string): string {
  const month = months[date.getMonth()]!;
  const day = days[date.getDay()]!;
  const two = (value: number) => String(value).padStart(2, '0');
  const directives: Record<string, string> = {
    Y: String(date.getFullYear()),
    y: two(date.getFullYear() % 100),
    m: two(date.getMonth() + 1),
    d: two(date.getDate()),
    e: String(date.getDate()).padStart(2, ' '),
    B: month,
    b: month.slice(0, 3),
    A: day,
    a: day.slice(0, 3),
    H: two(date.getHours()),
    I: two(date.getHours() % 12 || 12),
    M: two(date.getMinutes()),
    S: two(date.getSeconds()),
    p: date.getHours() < 12 ? 'AM' : 'PM',
    j: String(Math.floor((date.getTime() - new Date(date.getFullYear(), 0, 0).getTime()) / 86_400_000)).padStart(3, '0'),
    '%': '%',
  };
  return format.replace(/%(-?)([A-Za-z%])/gu, (whole, dash: string, name: string) => {
    const value = directives[name];
    if (value === undefined) return whole;
    return dash === '-' ? value.replace(/^[0 ]+(?=.)/u, '') : value;
  });
}
