import{g as n}from"./chunk-7KYNOI5T.js";function r(){return n("h1",{children:"Runs"})}export{r as default};
