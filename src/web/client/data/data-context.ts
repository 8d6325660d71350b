// Hands the source of data to every page.
import { createContext, useContext } from 'react';
import type { ViewerData } from './viewer-data.ts';

export const DataContext = createContext<ViewerData | null>(null);

export function useData(): ViewerData {
  return useContext(DataContext)!;
}
