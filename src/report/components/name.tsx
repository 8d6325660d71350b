// A name that comes from outside, kept apart from the direction of the text around it.
import { visibleText } from './visible-text.ts';

export function Name({ children }: { readonly children: string }) {
  return <bdi className="name">{visibleText(children)}</bdi>;
}
