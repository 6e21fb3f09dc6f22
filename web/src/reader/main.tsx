import { renderApp } from '../shared/providers.js';
import { Reader } from './reader.js';

renderApp(<Reader />);
