import{g as r}from"./chunk-7KYNOI5T.js";function e(){return r("h1",{children:"Search"})}export{e as default};
