import { BrowserRouter } from 'react-router';
import { renderApp } from '../common/providers.js';
import { Reader } from './reader.js';

renderApp(
  <BrowserRouter basename="/app">
    <Reader />
  </BrowserRouter>,
);
