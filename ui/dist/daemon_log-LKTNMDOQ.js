import{g as o}from"./chunk-7KYNOI5T.js";function e(){return o("h1",{children:"DaemonLog"})}export{e as default};
