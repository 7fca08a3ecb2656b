import{a}from"./chunk-UNCUYY3A.js";import{t as i}from"./chunk-D4GVR2JF.js";import{a as n}from"./chunk-AEQVRJRA.js";import{g as e}from"./chunk-3W7CIHGJ.js";function u(s,r){let t=`svc.${s}`,o=n(new Set(d(t)));return{value:o,keep:l=>{let c=[...l].slice(-r);o.value=new Set(c);try{localStorage.setItem(t,JSON.stringify(c))}catch{}}}}function d(s){try{let r=JSON.parse(localStorage.getItem(s)??"[]");return Array.isArray(r)?r.filter(t=>typeof t=="string"):[]}catch{return[]}}var h=`[tasks.backup]
cron = "30 2 * * *"
run = "tar -czf /backups/home.tar.gz /home"

[services.web]
run = "exec python3 -m http.server 8000"
`;function g(){return e("section",{class:"overview-first",children:[e("h1",{children:"Nothing to run yet"}),e("p",{children:["svc runs ",e("em",{children:"tasks"}),", by schedule or by request, and keeps ",e("em",{children:"services"})," ","up. Both stand in its configuration. Put this into ",e("code",{children:"svc.toml"}),", then reload:"]}),e("pre",{tabIndex:0,"aria-label":"An example of svc.toml",children:h}),e("p",{class:"row",children:[e(a,{what:"reload",class:"primary",onClick:()=>void i(),children:"Reload the configuration"}),e("span",{class:"muted",children:["or ",e("code",{children:"svc reload"}),"; ",e("code",{children:"svc validate"})," checks it first"]})]})]})}export{u as a,g as b};
