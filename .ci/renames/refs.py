"""refs.py SNAP OUT.jsonl PART PARTS: where each name of final/*.tsv stands, by the language server."""
import os; HERE = os.path.dirname(os.path.abspath(__file__))
import json, subprocess, sys, os, glob, ast, time
snap, out, part, parts = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
rows=[]
for f in sorted(glob.glob(HERE + '/names.tsv')):
    for l in open(f):
        p=l.rstrip('\n').split('\t')
        if len(p)>=5 and p[0] in('def','class','name') and p[4]!=p[3].split('.')[-1]: rows.append(p[:5])
rows.sort(key=lambda p:(p[1],int(p[2])))
rows=rows[part::parts] if False else rows[len(rows)*part//parts:len(rows)*(part+1)//parts]
done=set()
if os.path.exists(out):
    for l in open(out): done.add(tuple(json.loads(l)['row']))
srv=subprocess.Popen(['basedpyright-langserver','--stdio'],stdin=subprocess.PIPE,stdout=subprocess.PIPE,stderr=subprocess.DEVNULL,cwd=snap)
ids=0
def send(m): b=json.dumps(m).encode(); srv.stdin.write(b'Content-Length: %d\r\n\r\n'%len(b)+b); srv.stdin.flush()
def recv():
    n=0
    while (l:=srv.stdout.readline().strip()):
        if l.lower().startswith(b'content-length'): n=int(l.split(b':')[1])
    return json.loads(srv.stdout.read(n))
def ask(method,params):
    global ids; ids+=1; me=ids
    send({'jsonrpc':'2.0','id':me,'method':method,'params':params})
    while True:
        m=recv()
        if m.get('id')==me and 'method' not in m: return m
        if 'method' in m and 'id' in m:
            r=None
            if m['method']=='workspace/configuration': r=[{} for _ in m['params']['items']]
            send({'jsonrpc':'2.0','id':m['id'],'result':r})
uri=lambda p:'file://'+os.path.join(snap,p)
ask('initialize',{'processId':os.getpid(),'rootUri':'file://'+snap,'workspaceFolders':[{'uri':'file://'+snap,'name':'s'}],'capabilities':{'workspace':{'configuration':True,'workspaceFolders':True},'textDocument':{}}})
send({'jsonrpc':'2.0','method':'initialized','params':{}})
opened=set()
back=lambda u:u[len('file://'+snap)+1:]
real=lambda p:p.replace('gdl/solvers/','solvers/',1) if p.startswith('gdl/solvers/') else p
snapf=lambda p:'gdl/'+p if p.startswith('solvers/') else p
o=open(out,'a'); t0=time.time()
for i,(kind,f,line,q,new) in enumerate(rows):
    if (kind,f,line,q,new) in done: continue
    sf=snapf(f); text=open(os.path.join(snap,sf)).read(); L=text.split('\n')[int(line)-1]; name=q.split('.')[-1]
    import re
    m=re.search(r'\b(?:def|class)\s+'+name+r'\b',L) if kind!='name' else None
    if m: col=m.end()-len(name)
    else:
        m=re.search(r'\b'+name+r'\b',L)
        if not m: print('NO NAME',f,line,q,file=sys.stderr); continue
        col=m.start()
    if sf not in opened:
        send({'jsonrpc':'2.0','method':'textDocument/didOpen','params':{'textDocument':{'uri':uri(sf),'languageId':'python','version':1,'text':text}}}); opened.add(sf)
    r=ask('textDocument/references',{'textDocument':{'uri':uri(sf)},'position':{'line':int(line)-1,'character':col},'context':{'includeDeclaration':True}})
    locs=[[real(back(x['uri'])),x['range']['start']['line']+1,x['range']['start']['character'],x['range']['end']['character']] for x in (r.get('result') or [])]
    print(json.dumps({'row':[kind,f,line,q,new],'refs':locs}),file=o,flush=True)
    if i%50==0: print(i,len(rows),round(time.time()-t0),file=sys.stderr,flush=True)
srv.kill()
