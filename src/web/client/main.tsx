// Starts the viewer's client: on the live server, or on the files of an exported site.
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';
import { DataContext } from './data/data-context.ts';
import { exportedData, isExportedSite } from './data/exported-data.ts';
import { openLiveChanges } from './data/live-changes.ts';
import { serverData } from './data/server-data.ts';

const data = isExportedSite() ? exportedData() : serverData;
if (data.isLive) openLiveChanges();
createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <DataContext value={data}>
      <App />
    </DataContext>
  </StrictMode>,
);
